-- api.seal_snapshot: a seal is never replaced. The service signs, because the database does not have the key.
-- Writes: snapshots.snapshot.
create or replace function api.seal_snapshot(
    name text, public_key bytea, signature bytea, artifact text, artifact_hash bytea, artifact_bytes bigint
)
returns void
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id bigint;
begin
    perform policy.require_principal();
    v_id := snapshots.require_snapshot(seal_snapshot.name);
    update snapshots.snapshot as s
    set
        public_key = seal_snapshot.public_key,
        signature = seal_snapshot.signature,
        artifact = seal_snapshot.artifact,
        artifact_hash = seal_snapshot.artifact_hash,
        artifact_bytes = seal_snapshot.artifact_bytes
    where s.id = v_id and s.signature is null;
    if not found then
        perform core.fail('snapshot_sealed', format('the snapshot %L already has a signature', seal_snapshot.name));
    end if;
end
$function$;
comment on function api.seal_snapshot(text, bytea, bytea, text, bytea, bigint) is
'Stores the signature of a snapshot, and the name and size of the file (artifact) that contains the snapshot. '
'Arguments: name: name of the snapshot; public_key: Ed25519 public key; signature: signature of the text '
'`quartermaster snapshot MANIFEST HASH`; artifact: file name of the artifact; artifact_hash: SHA-256 of the artifact; '
'artifact_bytes: size of the artifact in bytes. Raises QM404 snapshot_not_found, QM409 snapshot_sealed.';
grant execute on function api.seal_snapshot to qm_admin;
