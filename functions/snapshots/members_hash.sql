create or replace function snapshots.members_hash(p_snapshot_id bigint default null)
returns bytea
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select snapshots.content_hash(array_agg(m.kind), array_agg(m.name), array_agg(m.definition_hash))
    from snapshots.members(p_snapshot_id) as m;
$function$;
comment on function snapshots.members_hash(bigint) is
'Computes the content hash of a snapshot. Argument p_snapshot_id: id of the snapshot (null: the items that are offered '
'now). Returns snapshots.content_hash of the items of every kind.';
