-- snapshots.asset_differences: as snapshots.differences, of resources, templates and prompts.
create or replace function snapshots.asset_differences(p_before bigint, p_after bigint default null)
returns table (asset_id bigint, change text, from_version integer, to_version integer)
language sql
stable parallel safe security invoker
rows 100
set search_path = pg_catalog, pg_temp
as $function$
    with before as (
        select m.asset_id, m.version, m.definition_hash
        from snapshots.asset_member as m
        where m.snapshot_id = p_before
    ),

    after as (
        select m.asset_id, m.version, m.definition_hash
        from snapshots.asset_member as m
        where m.snapshot_id = p_after
        union all
        select o.asset_id, o.version, o.definition_hash
        from snapshots.offered_assets() as o
        where p_after is null
    )

    select
        coalesce(b.asset_id, a.asset_id),
        case when b.asset_id is null then 'added' when a.asset_id is null then 'removed' else 'changed' end,
        b.version,
        a.version
    from before as b
    full join after as a on a.asset_id = b.asset_id
    -- A snapshot of before they were kept says nothing of them.
    where b.definition_hash is distinct from a.definition_hash
        and not exists (select from snapshots.snapshot as s where s.id in (p_before, p_after) and s.assets is null);
$function$;
comment on function snapshots.asset_differences(bigint, bigint) is 'Arguments: snapshot; another one, or null for what is offered now. Returns assets that were added, removed or changed from the first to the second, with their versions.';
