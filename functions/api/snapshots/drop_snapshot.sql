-- Writes: snapshots.*.
create or replace function api.drop_snapshot(name text, dry_run boolean default false)
returns table (items jsonb, artifact text, artifact_url text)
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id bigint;
begin
    perform policy.require_principal();
    v_id := snapshots.require_snapshot(drop_snapshot.name);
    select s.items, s.artifact, s.artifact_url
    into items, artifact, artifact_url
    from snapshots.snapshot as s
    where s.id = v_id;
    if not drop_snapshot.dry_run then
        delete from snapshots.snapshot as s where s.id = v_id;
    end if;
    return next;
end
$function$;
comment on function api.drop_snapshot(text, boolean) is
'Deletes a snapshot. The versions of the items in the snapshot stay. Arguments: name: name of the snapshot; dry_run: '
'true to preview the change without making it. Returns how many items of each kind the snapshot has, and the file and '
'the URL of its artifact (the signed file). The caller must delete the artifact. Raises QM404 snapshot_not_found. Can '
'be null: artifact_url, artifact.';
grant execute on function api.drop_snapshot to qm_admin;
