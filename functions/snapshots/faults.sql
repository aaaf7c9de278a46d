-- snapshots.faults: what in a snapshot is not as it was written. The seal is looked at by who has the file: qm snapshot verify.
create or replace function snapshots.faults(p_snapshot_id bigint)
returns table (name text, fault text)
language sql
stable parallel safe security invoker
rows 1
set search_path = pg_catalog, pg_temp
as $function$
    select t.callable_name, 'its definition is not what was kept'
    from snapshots.member as m
    inner join catalog.tool as t on t.id = m.tool_id
    inner join catalog.tool_version as v on v.tool_id = m.tool_id and v.version = m.version
    where m.snapshot_id = p_snapshot_id and snapshots.definition_hash(v.definition) <> m.definition_hash
    union all
    select a.kind || ' ' || a.public_name, 'its definition is not what was kept'
    from snapshots.asset_member as m
    inner join catalog.asset as a on a.id = m.asset_id
    inner join catalog.asset_version as v on v.asset_id = m.asset_id and v.version = m.version
    where m.snapshot_id = p_snapshot_id and snapshots.definition_hash(v.definition) <> m.definition_hash
    union all
    select s.name, 'its tools and assets are not those that were kept'
    from snapshots.snapshot as s
    where s.id = p_snapshot_id and snapshots.kept_hash(s.id) <> s.content_hash
    union all
    select s.name, 'its manifest is not what was written'
    from snapshots.snapshot as s
    where s.id = p_snapshot_id and snapshots.manifest(s.name, s.created_at, s.rule_version_id, s.origins, s.tools, s.content_hash, s.assets) <> s.manifest
    order by 1, 2;
$function$;
comment on function snapshots.faults(bigint) is 'Argument: snapshot. Returns tools and assets whose definition changed, and the snapshot itself where its tools or its manifest did; no row where it is whole.';
