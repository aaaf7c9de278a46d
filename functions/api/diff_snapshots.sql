-- api.diff_snapshots: what changed from one snapshot to another, or to now.
-- Definer because definitions of all principals are compared; executable by administrators.
-- Raises: QM404 snapshot_not_found.
create or replace function api.diff_snapshots(before text, after text default null)
returns table (change text, name text, origin text, from_version integer, to_version integer)
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
begin
    perform policy.require_principal();
    return query
    select d.change, t.callable_name, o.name, d.from_version, d.to_version
    from snapshots.differences(
        snapshots.require_snapshot(diff_snapshots.before),
        case when diff_snapshots.after is not null then snapshots.require_snapshot(diff_snapshots.after) end
    ) as d
    inner join catalog.tool as t on t.id = d.tool_id
    inner join catalog.origin as o on o.id = t.origin_id
    order by d.change, t.callable_name;
end
$function$;
comment on function api.diff_snapshots(text, text) is 'Arguments: snapshot; another one, or null for what is offered now. Returns added, removed and changed tools from the first to the second.';
