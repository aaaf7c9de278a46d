-- snapshots.members: a renamed item has its name without the repair, because the hash of a snapshot contains the names.
create or replace function snapshots.members(p_snapshot_id bigint default null)
returns table (id bigint, kind text, origin_id bigint, name text, version integer, definition_hash bytea)
language sql
stable parallel safe security invoker
rows 1000
set search_path = pg_catalog, pg_temp
as $function$
    select
        m.item_id, i.kind, i.origin_id, coalesce(i.definition #>> '{repair,listed_as}', i.public_name), m.version,
        m.definition_hash
    from snapshots.member as m
    inner join catalog.item as i on i.id = m.item_id
    where m.snapshot_id = p_snapshot_id
    union all
    select
        i.id, i.kind, i.origin_id, coalesce(i.definition #>> '{repair,listed_as}', i.public_name), v.version,
        snapshots.definition_hash(v.definition)
    from catalog.item as i
    inner join catalog.item_version as v on v.item_id = i.id and v.valid_to is null
    where i.is_live and p_snapshot_id is null;
$function$;
comment on function snapshots.members(bigint) is
'Lists the items in a snapshot as these items were stored. Argument p_snapshot_id: id of the snapshot (null: the items '
'that are offered now). Returns for each item its id, kind, origin, public name (without a repair), version and '
'definition hash.';
