-- Writes: catalog.refresh, catalog.origin.
create or replace function api.request_refresh(name text default null, anew boolean default false)
returns table (refresh_id bigint, origin text)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_origin_id bigint;
begin
    perform policy.require_principal();
    if request_refresh.name is not null then
        v_origin_id := catalog.served_origin_id(request_refresh.name);
    end if;
    if request_refresh.anew then
        perform catalog.begin_anew(o.id)
        from catalog.origin as o
        where o.transport in ('http', 'sse') and o.status <> 'removed' and (v_origin_id is null or o.id = v_origin_id);
    end if;
    return query
    select catalog.request_refresh(o.id), o.name
    from catalog.origin as o
    where o.transport not in ('none', 'built-in')
        and o.status <> 'removed'
        and (v_origin_id is null or o.id = v_origin_id)
    order by o.name;
end
$function$;
comment on function api.request_refresh(text, boolean) is
'Asks the service to read the lists of items of one origin, or of all origins, again (a refresh). Arguments: name: '
'name of the origin (default: all connected origins); anew: true to begin a new session first, with each of these '
'origins that has a URL (to restart programs, use restart_origin). Returns for each of these origins the refresh that '
'is now waiting. Raises QM404 origin_not_found, QM409 origin_not_callable.';
grant execute on function api.request_refresh to qm_operator;
