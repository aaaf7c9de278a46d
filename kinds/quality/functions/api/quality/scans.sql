create or replace function api.scans(path text, project text default null)
returns table (
    tool text, version text, status text, reason text, elapsed_ms real, scanned_at timestamptz, metrics jsonb
)
language plpgsql
stable parallel safe security definer
rows 10
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_file_id constant bigint := quality.file_version(projects.find(scans.project), scans.path);
begin
    return query
    select
        coalesce(c.tool, s.tool),
        coalesce(s.tool_version, ''),
        coalesce(s.status, 'skipped'),
        coalesce(s.reason, 'it has not run'),
        coalesce(s.elapsed_ms, 0),
        s.scanned_at,
        coalesce((select jsonb_object_agg(m.name, m.value) from quality.metric as m where m.scan_id = s.id), '{}')
    from (select distinct k.tool from quality.checkers(v_file_id) as k) as c
    full join (select l.* from quality.latest_scans(v_file_id) as l) as s on s.tool = c.tool
    order by 1;
end
$function$;
comment on function api.scans(text, text) is
'Lists the checkers for a file, and whether each checker has read the file. Arguments: path: path below the root of '
'the project; project: the project, as NAME or OWNER/NAME (null: your only project). Returns for each checker: the '
'version of the checker; the status of the scan (ok, degraded, skipped or error); the reason if the status is not ok; '
'the duration in milliseconds; the time of the scan; and the metrics that the checker measured. Can be null: '
'scanned_at.';
alter function api.scans owner to qm_reader;
grant execute on function api.scans to qm_user;
