-- api.verify_snapshot: is what the database keeps of a snapshot as it was written?
-- Definer because definitions of all principals are read; executable by administrators.
-- Raises: QM404 snapshot_not_found.
create or replace function api.verify_snapshot(name text)
returns table (faulty text, fault text)
language plpgsql
stable parallel safe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    return query select f.name, f.fault from snapshots.faults(snapshots.require_snapshot(verify_snapshot.name)) as f;
end
$function$;
comment on function api.verify_snapshot(text) is 'Argument: name. Returns the tool, or the snapshot, that is not as it was, and what of it; no row where all is. The signature and the artifact are for who has them: qm snapshot verify.';
grant execute on function api.verify_snapshot to qm_admin;
