-- api.read_definitions: what these tools say of themselves, for a process to keep; those that are not offered are left out.
-- Definer because definitions of all principals are read; executable by the service's login only.
create or replace function api.read_definitions(tools bigint[])
returns table (
    tool_id bigint, callable_name text, origin text, brief text, version integer, rights_class integer, content_hash text,
    valid_from timestamptz, definition jsonb
)
language sql
stable parallel safe security definer
rows 1000
set search_path = pg_catalog, pg_temp
as $function$
    select
        t.id, t.callable_name, o.name, t.brief, v.version, t.rights_class, encode(v.content_hash, 'hex'), v.valid_from, v.definition
    from catalog.tool as t
    inner join catalog.origin as o on o.id = t.origin_id
    inner join catalog.tool_version as v on v.tool_id = t.id and v.version = t.version
    where t.is_live and t.id = any(read_definitions.tools);
$function$;
comment on function api.read_definitions(bigint[]) is
'Argument: ids. Returns each tool''s id, callable name, origin, one line, version, rights class, content hash, when the version began, and definition.';
grant execute on function api.read_definitions to qm_service;
