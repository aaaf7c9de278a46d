-- Writes: catalog.origin, catalog.refresh.
create or replace function api.restart_origin(name text)
returns table (refresh_id bigint, origin text)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_origin_id bigint;
begin
    perform policy.require_principal();
    v_origin_id := catalog.served_origin_id(restart_origin.name);
    perform catalog.begin_anew(v_origin_id);
    return query select catalog.request_refresh(v_origin_id), restart_origin.name;
end
$function$;
comment on function api.restart_origin(text) is
'Restarts the program of an origin, for example after somebody has changed the program. If the origin has a URL, '
'begins a new session instead. Calls in progress keep the old connection until they end. Then the service reads the '
'lists of items of the origin again (a refresh). Argument name: name of the origin. Returns the refresh that is now '
'waiting. Raises QM404 origin_not_found, QM409 origin_not_callable.';
grant execute on function api.restart_origin to qm_operator;
