-- api.create_snapshot: if a caller is killed before it seals its snapshot, the call can be made again: the new snapshot
-- replaces the unsealed one. Two sorts of snapshots are never replaced, even if they are unsealed: those that the job
-- took, and those that can undo an activation.
-- Writes: snapshots.snapshot, snapshots.member.
create or replace function api.create_snapshot(name text, note text default '')
returns table (snapshot bigint, items jsonb, origins integer, manifest text)
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
    v_id bigint;
begin
    delete from snapshots.snapshot as s
    where s.name = create_snapshot.name
        and s.signature is null
        and not s.is_regular
        and s.created_by = v_principal_id
        and not exists (select from snapshots.activation as a where s.id in (a.snapshot_id, a.undo_id));
    v_id := snapshots.put_snapshot(create_snapshot.name, create_snapshot.note, v_principal_id);
    return query select s.id, s.items, s.origins, s.manifest from snapshots.snapshot as s where s.id = v_id;
end
$function$;
comment on function api.create_snapshot(text, text) is
'Takes a snapshot of the present catalog. Arguments: name: name of the new snapshot (letters, digits, dots, dashes, '
'underscores); note: note about the snapshot. If the caller already has an unsigned snapshot of this name, the new '
'snapshot replaces it. Returns the snapshot''s id, the number of items of each kind, the number of origins, and the '
'manifest (JSON text with these numbers and the content hash). The caller signs the manifest, and passes the signature '
'to api.seal_snapshot. Raises QM409 snapshot_exists, QM422 argument_invalid.';
grant execute on function api.create_snapshot to qm_admin;
