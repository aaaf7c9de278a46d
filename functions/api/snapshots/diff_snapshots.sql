-- Definer: the rules may hide rows of catalog.item and catalog.item_version from administrators, too. From these rows,
-- they get only names and versions.
create or replace function api.diff_snapshots(before text, after text default null)
returns table (change text, kind text, name text, origin text, from_version integer, to_version integer)
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_before bigint;
    v_after bigint;
begin
    perform policy.require_principal();
    v_before := snapshots.require_snapshot(diff_snapshots.before);
    if diff_snapshots.after is not null then
        v_after := snapshots.require_snapshot(diff_snapshots.after);
    end if;
    return query
    select d.change, d.kind, d.name, o.name, d.from_version, d.to_version
    from snapshots.differences(v_before, v_after) as d
    inner join catalog.origin as o on o.id = d.origin_id
    order by d.change collate core.c_utf8, d.kind collate core.c_utf8, d.name collate core.c_utf8;
end
$function$;
comment on function api.diff_snapshots(text, text) is
'Compares two snapshots, or a snapshot with the present catalog. Arguments: before: name of the first snapshot; after: '
'name of the second snapshot (null: the present catalog). Returns the items that were added, removed or changed '
'between the first and the second snapshot. Raises QM404 snapshot_not_found. Can be null: from_version, to_version.';
grant execute on function api.diff_snapshots to qm_admin;
