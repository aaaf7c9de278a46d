-- snapshots.offered: every tool, and every asset beside tools, that is offered now, in its version.
create or replace function snapshots.offered()
returns table (is_tool boolean, id bigint, origin_id bigint, name text, version integer, definition_hash bytea)
language sql
stable parallel safe security invoker
rows 1000
set search_path = pg_catalog, pg_temp
as $function$
    select true, t.id, t.origin_id, t.callable_name, v.version, snapshots.definition_hash(v.definition)
    from catalog.tool as t
    inner join catalog.tool_version as v on v.tool_id = t.id and v.valid_to is null
    where t.is_live
    union all
    select false, a.id, a.origin_id, a.kind || ' ' || a.public_name, v.version, snapshots.definition_hash(v.definition)
    from catalog.asset as a
    inner join catalog.asset_version as v on v.asset_id = a.id and v.valid_to is null
    where a.is_live;
$function$;
comment on function snapshots.offered() is
'Whether it is a tool, id, origin, name (of assets their kind, a space, their public name), version and hash of the definition of all that is live.';
