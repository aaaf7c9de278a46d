create or replace function quality.project_removed(p_project_id integer)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_object('scans', count(*))
    from quality.file_version as f
    inner join quality.scan as s on s.file_version_id = f.id
    where f.project_id = p_project_id;
$function$;
comment on function quality.project_removed(integer) is
'Counts the scans that are removed with a project (hook point project_removed). Argument p_project_id: id of the '
'project. Returns JSON: scans: number of scans of its files.';
