-- snapshots.faults: the function does not check the seal (signature), because it cannot read the file of the artifact.
-- The command qm snapshot verify checks it.
create or replace function snapshots.faults(p_snapshot_id bigint)
returns table (name text, fault text)
language sql
stable parallel safe security invoker
rows 1
set search_path = pg_catalog, pg_temp
as $function$
    select i.kind || ' ' || i.public_name collate core.c_utf8, 'the definition has been changed' collate core.c_utf8
    from snapshots.member as m
    inner join catalog.item as i on i.id = m.item_id
    inner join catalog.item_version as v on v.item_id = m.item_id and v.version = m.version
    where m.snapshot_id = p_snapshot_id and snapshots.definition_hash(v.definition) <> m.definition_hash
    union all
    select s.name, 'the items have been changed'
    from snapshots.snapshot as s
    where s.id = p_snapshot_id and snapshots.members_hash(s.id) <> s.content_hash
    union all
    select s.name, 'the manifest has been changed'
    from snapshots.snapshot as s
    where s.id = p_snapshot_id
        and snapshots.manifest(s.name, s.created_at, s.rule_version_id, s.origins, s.items, s.content_hash)
            <> s.manifest
    order by 1, 2;
$function$;
comment on function snapshots.faults(bigint) is
'Finds parts of a snapshot that were changed after the snapshot was taken. Argument p_snapshot_id: id of the snapshot. '
'Returns a row for each item whose definition changed, a row if the list of items changed, and a row if the manifest '
'changed. Returns no row if the snapshot is intact.';
