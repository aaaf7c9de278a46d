-- service.store_scans: the given version becomes the newest version of the file. Only the service can call the
-- function, because a caller that stores wrong scans could make any gate pass.
-- Writes: quality.file_version, quality.scan, quality.finding, quality.metric.
create or replace function service.store_scans(path text, blob_hash text, scans jsonb, project text default null)
returns bigint
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id integer;
    v_file_version_id bigint;
    v_scan jsonb;
    v_scan_id bigint;
begin
    perform policy.require_service();
    v_project_id := projects.find(store_scans.project);
    v_file_version_id := quality.see_file(v_project_id, store_scans.path, store_scans.blob_hash);
    for v_scan in
        select e.scan
        from jsonb_array_elements(store_scans.scans) as e (scan)
        order by (e.scan ->> 'tool') collate core.c_utf8
    loop
        insert into quality.scan as s (
            file_version_id, tool, tool_version, config_hash, context_hash, status, reason, elapsed_ms, scanned_at,
            used_at
        )
        values (
            v_file_version_id,
            v_scan ->> 'tool',
            v_scan ->> 'tool_version',
            v_scan ->> 'config_hash',
            v_scan ->> 'context_hash',
            v_scan ->> 'status',
            coalesce(v_scan ->> 'reason', ''),
            (v_scan ->> 'elapsed_ms')::real,
            core.now(),
            clock_timestamp()
        )
        on conflict on constraint scan_key do update
        set
            status = excluded.status,
            reason = excluded.reason,
            elapsed_ms = excluded.elapsed_ms,
            scanned_at = excluded.scanned_at,
            used_at = excluded.used_at
        returning s.id into v_scan_id;
        delete from quality.finding as f where f.scan_id = v_scan_id;
        delete from quality.metric as m where m.scan_id = v_scan_id;
        insert into quality.finding (
            scan_id, rule, name, message, severity, cwe, line, end_line, first_column, fingerprint, remedy, steps,
            is_hint, suppressed_by, suppressed_at
        )
        select
            v_scan_id,
            f.rule,
            coalesce(f.name, ''),
            f.message,
            f.severity,
            f.cwe,
            f.line,
            f.end_line,
            f.first_column,
            f.fingerprint,
            f.remedy,
            f.steps,
            f.is_hint,
            coalesce(f.suppressed_by, ''),
            f.suppressed_at
        from jsonb_to_recordset(v_scan -> 'findings') as f (
            rule text, name text, message text, severity text, cwe integer, line integer, end_line integer,
            first_column integer, fingerprint text, remedy text, steps jsonb, is_hint boolean, suppressed_by text,
            suppressed_at integer
        );
        insert into quality.metric (scan_id, name, value, state)
        select v_scan_id, m.key, m.value::numeric, case v_scan ->> 'status' when 'ok' then 'known' else 'stale' end
        from jsonb_each_text(v_scan -> 'metrics') as m;
    end loop;
    return v_file_version_id;
end
$function$;
comment on function service.store_scans(text, text, jsonb, text) is
'Stores the results of checkers for one version of a file. Arguments: path: path below the root of the project; '
'blob_hash: hash that git computes for the content; scans: JSON array of {tool, tool_version, config_hash, '
'context_hash, status, reason, elapsed_ms, findings, metrics: {name: number}}; project: the project, as NAME or '
'OWNER/NAME (null: your only project). Each finding is {rule, name, message, severity, cwe, line, end_line, '
'first_column, fingerprint, remedy, steps, is_hint, suppressed_by: word in the file that would hide the finding, '
'suppressed_at: line of this word}. Returns the id of the version. Raises QM403 service_required, QM404 '
'project_not_found.';
grant execute on function service.store_scans to qm_service, qm_user;
