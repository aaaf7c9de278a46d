-- service.reuse_scans: a scan is used again only if the file, the checker, its configuration and its context are the
-- same. The scan then counts as the newest. A failed scan is always repeated. A skipped scan is also repeated, unless
-- the context covers all reasons for which it can be skipped (also_skipped).
-- Writes: quality.file_version, quality.scan.
create or replace function service.reuse_scans(path text, blob_hash text, wanted jsonb, project text default null)
returns setof text
language plpgsql
volatile parallel unsafe security definer
rows 8
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_file_version_id bigint;
begin
    perform policy.require_service();
    v_file_version_id := quality.see_file(projects.find(reuse_scans.project), reuse_scans.path, reuse_scans.blob_hash);
    return query
    update quality.scan as s
    set used_at = clock_timestamp()
    from jsonb_to_recordset(reuse_scans.wanted) as w (
        tool text, tool_version text, config_hash text, context_hash text, also_skipped boolean
    )
    where
        s.file_version_id = v_file_version_id
            and (s.status in ('ok', 'degraded') or (s.status = 'skipped' and w.also_skipped))
        and s.tool = w.tool
        and s.tool_version = w.tool_version
        and s.config_hash = w.config_hash
        and s.context_hash = w.context_hash
    returning s.tool;
end
$function$;
comment on function service.reuse_scans(text, text, jsonb, text) is
'Finds stored scans of a file that are still valid. Arguments: path: path of the file; blob_hash: version of the file; '
'wanted: JSON array of checkers, each {tool, tool_version, config_hash, context_hash, also_skipped: true if a skipped '
'scan with the same context is also valid}; project: the project, as NAME or OWNER/NAME (null: your only project). '
'Returns the names of the checkers that need not read the file again. Raises QM403 service_required, QM404 '
'project_not_found.';
grant execute on function service.reuse_scans to qm_service, qm_user;
