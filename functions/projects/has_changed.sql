-- projects.has_changed: only the kinds know when a file has changed (hook point file_changed).
create or replace function projects.has_changed(p_project_id integer, p_path text, p_since timestamptz)
returns boolean
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_hook regproc;
    v_has_changed boolean := false;
begin
    for v_hook in select h from core.hooks('file_changed') as h loop
        execute format('select %s($1, $2, $3)', v_hook) into v_has_changed using p_project_id, p_path, p_since;
        exit when v_has_changed;
    end loop;
    return coalesce(v_has_changed, false);
end
$function$;
comment on function projects.has_changed(integer, text, timestamptz) is
'Checks whether a file of a project has changed since a given time. Arguments: p_project_id: id of the project; '
'p_path: path below its root; p_since: the time. Returns true if a newer version has replaced a version that was there '
'at or after this time.';
grant execute on function projects.has_changed to qm_reader;
