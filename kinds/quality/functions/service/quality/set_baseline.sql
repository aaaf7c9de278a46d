-- Writes: quality.file_version, quality.baseline.
create or replace function service.set_baseline(
    path text, commit text, blob_hash text default null, project text default null
)
returns void
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id integer;
    v_file_version_id bigint;
begin
    perform policy.require_service();
    v_project_id := projects.find(set_baseline.project);
    select v.id
    into v_file_version_id
    from quality.file_version as v
    where v.project_id = v_project_id and v.path = set_baseline.path and v.blob_hash = set_baseline.blob_hash;
    insert into quality.baseline (project_id, path, commit, file_version_id, set_at)
    values (v_project_id, set_baseline.path, set_baseline.commit, v_file_version_id, core.now())
    on conflict on constraint baseline_pkey do update
    set commit = excluded.commit, file_version_id = excluded.file_version_id, set_at = excluded.set_at;
end
$function$;
comment on function service.set_baseline(text, text, text, text) is
'Sets the version of a file with which new code is compared (the baseline). Arguments: path: path of the file; commit: '
'hash of the commit; blob_hash: version of the file in this commit, which must have been scanned (null: the commit '
'does not contain the file); project: the project, as NAME or OWNER/NAME (null: your only project). Raises QM403 '
'service_required, QM404 project_not_found.';
grant execute on function service.set_baseline to qm_service, qm_user;
