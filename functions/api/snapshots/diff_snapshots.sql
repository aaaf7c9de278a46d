-- api.diff_snapshots: compares two snapshots, or a snapshot with the present catalog.
-- The function runs with the rights of its owner (security definer), because it also compares definitions that the
-- caller may not see. Administrators may execute it.
-- Raises: QM404 snapshot_not_found.
create or replace function api.diff_snapshots(before text, after text default null)
returns table (change text, kind text, name text, origin text, from_version integer, to_version integer)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    with snapshot as (
        select
            snapshots.require_snapshot(diff_snapshots.before) as before,
            case when diff_snapshots.after is not null then snapshots.require_snapshot(diff_snapshots.after) end as after
    )

    select d.change, d.kind, d.name, o.name, d.from_version, d.to_version
    from snapshot as s
    cross join lateral snapshots.differences(s.before, s.after) as d
    inner join catalog.origin as o on o.id = d.origin_id
    order by d.change collate core.c_utf8, d.kind collate core.c_utf8, d.name collate core.c_utf8;
$function$;
comment on function api.diff_snapshots(text, text) is
'Compares two snapshots, or a snapshot with the present catalog. Arguments: before: name of the first snapshot; after: '
'name of the second snapshot (null: the present catalog). Returns the items that were added, removed or changed between '
'the first and the second snapshot.';
grant execute on function api.diff_snapshots to qm_admin;
