-- api.read_snapshot: the tools of a snapshot, page by page, for its artifact.
-- Definer because definitions of all principals are read; executable by administrators.
-- Raises: QM404 snapshot_not_found.
create or replace function api.read_snapshot(name text, after text default '', maximum integer default 1000)
returns table (callable_name text, origin text, brief text, version integer, rights_class integer, definition jsonb)
language plpgsql
stable parallel safe security definer
rows 1000
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_id bigint;
begin
    perform policy.require_principal();
    v_id := snapshots.require_snapshot(read_snapshot.name);
    return query
    select t.callable_name, o.name, catalog.brief(v.definition ->> 'description'), v.version, t.rights_class, v.definition
    from snapshots.member as m
    inner join catalog.tool as t on t.id = m.tool_id
    inner join catalog.origin as o on o.id = t.origin_id
    inner join catalog.tool_version as v on v.tool_id = m.tool_id and v.version = m.version
    where m.snapshot_id = v_id and t.callable_name collate "C" > read_snapshot.after collate "C"
    order by t.callable_name collate "C"
    limit read_snapshot.maximum;
end
$function$;
comment on function api.read_snapshot(text, text, integer) is 'Arguments: name; the last tool of the page before; how many. Returns callable name, origin, one line, version, rights class and definition, by name in byte order.';
