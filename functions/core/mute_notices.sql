-- core.mute_notices: hides the notices of what a function calls inside; they are about searches that nobody called. The
-- caller sets client_min_messages back to what this function returns. An error that leaves the function does so, too.
create or replace function core.mute_notices()
returns text
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_before constant text := current_setting('client_min_messages');
begin
    if v_before <> 'error' then
        perform set_config('client_min_messages', 'warning', true);
    end if;
    return v_before;
end
$function$;
comment on function core.mute_notices() is
'Hides notices until the setting client_min_messages is set back. Returns the value that this setting had before.';
grant execute on function core.mute_notices to qm_reader;
