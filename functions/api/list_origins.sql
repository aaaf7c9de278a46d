-- api.list_origins: the origins that the caller may see.
create or replace function api.list_origins()
returns table (
    name text, transport text, status text, tools bigint, description text, protocol_version text,
    refreshed_at timestamptz, failure_class text, failure text
)
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select
        o.name,
        o.transport,
        o.status,
        coalesce(t.tools, 0),
        o.description,
        o.protocol_version,
        o.refreshed_at,
        o.failure_class,
        o.failure
    from catalog.origin as o
    left join (
        select t.origin_id, count(*) as tools from catalog.tool as t where t.is_live group by t.origin_id
    ) as t on t.origin_id = o.id
    where o.status <> 'removed'
    order by o.name;
$function$;
comment on function api.list_origins() is 'Name, transport, status (new, ready, failing), live tools, description, protocol version, last refresh and last failure.';
