-- Definer: the rules may hide rows of catalog.item and catalog.item_version from administrators, too. From these rows,
-- they get only the names of faulty items.
create or replace function api.verify_snapshot(name text)
returns table (faulty text, fault text)
language sql
stable parallel safe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select f.name, f.fault from snapshots.faults(snapshots.require_snapshot(verify_snapshot.name)) as f;
$function$;
comment on function api.verify_snapshot(text) is
'Checks that nobody has changed a snapshot in the database. Argument name: name of the snapshot. Returns one row for '
'each changed item, and one row if the snapshot itself was changed. Each row says what differs. Returns no row if the '
'snapshot is intact. To check the signature and the artifact, run `qm snapshot verify`. Raises QM404 '
'snapshot_not_found. Can be null: faulty, fault.';
grant execute on function api.verify_snapshot to qm_admin;
