-- snapshots.kept: what a snapshot has, as snapshots.offered tells what is offered now.
create or replace function snapshots.kept(p_snapshot_id bigint)
returns table (is_tool boolean, id bigint, origin_id bigint, name text, version integer, definition_hash bytea)
language sql
stable parallel safe security invoker
rows 1000
set search_path = pg_catalog, pg_temp
as $function$
    select true, m.tool_id, t.origin_id, t.callable_name, m.version, m.definition_hash
    from snapshots.member as m
    inner join catalog.tool as t on t.id = m.tool_id
    where m.snapshot_id = p_snapshot_id
    union all
    select false, m.asset_id, a.origin_id, a.kind || ' ' || a.public_name, m.version, m.definition_hash
    from snapshots.asset_member as m
    inner join catalog.asset as a on a.id = m.asset_id
    where m.snapshot_id = p_snapshot_id;
$function$;
comment on function snapshots.kept(bigint) is 'Argument: snapshot. Returns the columns of snapshots.offered, as they were kept.';
