-- snapshots.differences: what sets a snapshot apart from another one, or from what is offered now.
create or replace function snapshots.differences(p_before bigint, p_after bigint default null)
returns table (tool_id bigint, change text, from_version integer, to_version integer)
language sql
stable parallel safe security invoker
rows 100
set search_path = pg_catalog, pg_temp
as $function$
    with before as (
        select m.tool_id, m.version, m.definition_hash
        from snapshots.member as m
        where m.snapshot_id = p_before
    ),

    after as (
        select m.tool_id, m.version, m.definition_hash
        from snapshots.member as m
        where m.snapshot_id = p_after
        union all
        select o.tool_id, o.version, o.definition_hash
        from snapshots.offered() as o
        where p_after is null
    )

    select
        coalesce(b.tool_id, a.tool_id),
        case when b.tool_id is null then 'added' when a.tool_id is null then 'removed' else 'changed' end,
        b.version,
        a.version
    from before as b
    full join after as a on a.tool_id = b.tool_id
    where b.definition_hash is distinct from a.definition_hash;
$function$;
comment on function snapshots.differences(bigint, bigint) is 'Arguments: snapshot; another one, or null for what is offered now. Returns tools that were added, removed or changed from the first to the second, with their versions.';
