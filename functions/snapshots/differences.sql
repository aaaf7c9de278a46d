create or replace function snapshots.differences(p_before bigint, p_after bigint default null)
returns table (id bigint, kind text, origin_id bigint, name text, change text, from_version integer, to_version integer)
language sql
stable parallel safe security invoker
rows 100
set search_path = pg_catalog, pg_temp
as $function$
    select
        id,
        coalesce(b.kind, a.kind),
        coalesce(b.origin_id, a.origin_id),
        coalesce(b.name, a.name),
        case when b.version is null then 'added' when a.version is null then 'removed' else 'changed' end,
        b.version,
        a.version
    from snapshots.members(p_before) as b
    full join snapshots.members(p_after) as a using (id)
    where b.definition_hash is distinct from a.definition_hash;
$function$;
comment on function snapshots.differences(bigint, bigint) is
'Lists the items in which a snapshot differs from another snapshot, or from the present catalog. Arguments: p_before: '
'id of the first snapshot; p_after: id of the second snapshot (null: the present catalog). Returns the items that were '
'added, removed or changed, each with the version in the first snapshot and the version in the second snapshot.';
