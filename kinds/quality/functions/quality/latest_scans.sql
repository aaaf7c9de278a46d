create or replace function quality.latest_scans(p_file_version_id bigint)
returns setof quality.scan
language sql
stable parallel safe security invoker
rows 8
set search_path = pg_catalog, pg_temp
as $function$
    select distinct on (s.tool) s.*
    from quality.scan as s
    where s.file_version_id = p_file_version_id
    order by s.tool, s.used_at desc, s.id desc;
$function$;
comment on function quality.latest_scans(bigint) is
'Finds the last scan of a version of a file by each checker. Argument p_file_version_id: id of the version. Returns '
'rows of quality.scan.';
grant execute on function quality.latest_scans to qm_reader;
