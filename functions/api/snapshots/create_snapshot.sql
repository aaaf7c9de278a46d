-- api.create_snapshot: takes a snapshot of the catalog as it is offered now.
-- The function runs with the rights of its owner (security definer), because only functions may write snapshots.
-- Administrators may execute it.
-- Raises: QM409 snapshot_exists, QM422 argument_invalid.  Writes: snapshots.snapshot, snapshots.member.
create or replace function api.create_snapshot(name text, note text default '')
returns table (snapshot bigint, items jsonb, origins integer, manifest text)
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
    v_id constant bigint := snapshots.put_snapshot(create_snapshot.name, create_snapshot.note, v_principal_id);
begin
    return query select s.id, s.items, s.origins, s.manifest from snapshots.snapshot as s where s.id = v_id;
end
$function$;
comment on function api.create_snapshot(text, text) is
'Takes a snapshot of the present catalog. Arguments: name: name of the new snapshot (letters, digits, dots, dashes, '
'underscores); note: note about the snapshot. Returns the snapshot''s id, the number of items of each kind, the number '
'of origins, and the manifest. The caller signs the manifest, and passes the signature to api.seal_snapshot.';
grant execute on function api.create_snapshot to qm_admin;
