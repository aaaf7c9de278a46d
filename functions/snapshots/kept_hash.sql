-- snapshots.kept_hash: the content hash of what a snapshot has.
create or replace function snapshots.kept_hash(p_snapshot_id bigint)
returns bytea
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select snapshots.content_hash(array_agg(m.name), array_agg(m.hash))
    from (
        select t.callable_name as name, k.definition_hash as hash
        from snapshots.member as k
        inner join catalog.tool as t on t.id = k.tool_id
        where k.snapshot_id = p_snapshot_id
        union all
        select a.kind || ' ' || a.public_name, k.definition_hash
        from snapshots.asset_member as k
        inner join catalog.asset as a on a.id = k.asset_id
        where k.snapshot_id = p_snapshot_id
    ) as m;
$function$;
comment on function snapshots.kept_hash(bigint) is 'Argument: snapshot. See snapshots.content_hash: over its tools, resources, templates and prompts together.';
