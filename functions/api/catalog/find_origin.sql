create or replace function api.find_origin(name text)
returns bigint
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select catalog.origin_id(find_origin.name) where policy.require_principal() is not null;
$function$;
comment on function api.find_origin(text) is
'Finds an origin that the caller may see. The service calls this function when a client connects to a single origin. '
'Argument name: name of the origin. Returns the id of the origin, or raises QM404 origin_not_found.';
alter function api.find_origin owner to qm_reader;
grant execute on function api.find_origin to qm_user;
