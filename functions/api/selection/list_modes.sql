create or replace function api.list_modes()
returns table (name text, settings jsonb)
language sql
stable parallel safe security definer
rows 3
set search_path = pg_catalog, pg_temp
as $function$
    select m.name, to_jsonb(m) - 'name'
    from selection.mode as m
    order by m.lexical, m.name;
$function$;
comment on function api.list_modes() is
'Lists the modes with their settings, the least thorough mode first. Example: `select name, jsonb_pretty(settings) '
'from list_modes();` The column settings is JSON with every column of selection.mode, in the form that '
'api.configure_modes takes.';
alter function api.list_modes owner to qm_reader;
grant execute on function api.list_modes to qm_user;
