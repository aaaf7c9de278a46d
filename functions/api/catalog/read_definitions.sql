-- api.read_definitions: what these tools say of themselves, for a process to keep; those that are not offered are left out.
-- Definer because definitions of all principals are read; executable by the service's login only.
create or replace function api.read_definitions(tools bigint[])
returns table (
    item_id bigint, callable_name text, origin text, brief text, version integer, rights_class integer, content_hash text,
    valid_from timestamptz, definition jsonb
)
language sql
stable parallel safe security definer
rows 1000
set search_path = pg_catalog, pg_temp
as $function$
    select
        i.id, i.public_name, o.name, i.brief, v.version, i.rights_class, encode(v.content_hash, 'hex'), v.valid_from, v.definition
    from catalog.item as i
    inner join catalog.origin as o on o.id = i.origin_id
    inner join catalog.item_version as v on v.item_id = i.id and v.version = i.version
    where i.is_live and i.id = any(read_definitions.tools);
$function$;
comment on function api.read_definitions(bigint[]) is
'Argument: ids. Returns each tool''s id, callable name, origin, one line, version, rights class, content hash, when the version began, and definition.';
grant execute on function api.read_definitions to qm_service;
