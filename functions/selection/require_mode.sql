create or replace function selection.require_mode(p_mode text)
returns selection.mode
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_mode selection.mode;
begin
    select * into v_mode from selection.mode as m where m.name = p_mode;
    if v_mode.name is null then
        perform core.fail(
            'mode_unknown',
            format('there is no mode called %L', p_mode),
            null,
            format('Use one of: %s.', (select string_agg(m.name, ', ' order by m.lexical) from selection.mode as m))
        );
    end if;
    return v_mode;
end
$function$;
comment on function selection.require_mode(text) is
'Finds a search mode. Argument p_mode: name of the mode. Returns the row of the mode in selection.mode. Raises QM422 '
'mode_unknown if there is no such mode.';
grant execute on function selection.require_mode to qm_reader;
