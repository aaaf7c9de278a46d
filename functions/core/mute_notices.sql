-- core.mute_notices: functions call this function before an internal search, because the notices of the search would
-- puzzle the user. After the search, they set client_min_messages back to the value that this function returned. If an
-- error occurs before that, PostgreSQL restores the setting.
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
