-- snapshots.offered: every tool that is offered now, in its version.
create or replace function snapshots.offered()
returns table (tool_id bigint, origin_id bigint, callable_name text, version integer, definition_hash bytea)
language sql
stable parallel safe security invoker
rows 1000
set search_path = pg_catalog, pg_temp
as $function$
    select t.id, t.origin_id, t.callable_name, v.version, snapshots.definition_hash(v.definition)
    from catalog.tool as t
    inner join catalog.tool_version as v on v.tool_id = t.id and v.valid_to is null
    where t.is_live;
$function$;
comment on function snapshots.offered() is 'Id, origin, callable name, version and hash of the definition of every live tool.';
