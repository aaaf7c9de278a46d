-- snapshots.kept: returns the items of a snapshot, in the form of snapshots.offered.
create or replace function snapshots.kept(p_snapshot_id bigint)
returns table (id bigint, kind text, origin_id bigint, name text, version integer, definition_hash bytea)
language sql
stable parallel safe security invoker
rows 1000
set search_path = pg_catalog, pg_temp
as $function$
    select m.item_id, i.kind, i.origin_id, i.public_name, m.version, m.definition_hash
    from snapshots.member as m
    inner join catalog.item as i on i.id = m.item_id
    where m.snapshot_id = p_snapshot_id;
$function$;
comment on function snapshots.kept(bigint) is
'Argument: snapshot. Returns the columns of snapshots.offered, as they were stored.';
