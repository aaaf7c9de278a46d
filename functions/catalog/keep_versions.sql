-- catalog.keep_versions: tools that were written have their version on record: the one before ends, the new one begins.
-- A tool that is still at its version is left alone.
-- Writes: catalog.tool_version.
create or replace function catalog.keep_versions(p_tool_ids bigint[], p_definitions jsonb[])
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    update catalog.tool_version as v
    set valid_to = core.now()
    from catalog.tool as t
    where t.id = any(p_tool_ids) and v.tool_id = t.id and v.valid_to is null and v.version <> t.version;
    insert into catalog.tool_version (tool_id, version, valid_from, content_hash, approved_at, definition)
    select t.id, t.version, core.now(), t.content_hash, case when t.status = 'approved' then core.now() end, g.definition
    from unnest(p_tool_ids, p_definitions) as g (tool_id, definition)
    inner join catalog.tool as t on t.id = g.tool_id
    where not exists (select from catalog.tool_version as v where v.tool_id = t.id and v.version = t.version);
end
$function$;
comment on function catalog.keep_versions(bigint[], jsonb[]) is 'Arguments: tools that were written, and the definition of each as a version keeps it.';
