-- api.find_origin: finds an origin that the caller may see, for the door of a single origin.
-- Raises: QM404 origin_not_found.
create or replace function api.find_origin(name text)
returns bigint
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_origin_id bigint;
begin
    perform policy.require_principal();
    select o.id into v_origin_id from catalog.origin as o where o.name = find_origin.name and o.status <> 'removed';
    if v_origin_id is null then
        perform core.fail('origin_not_found', format('there is no origin called %L', left(find_origin.name, 100)));
    end if;
    return v_origin_id;
end
$function$;
comment on function api.find_origin(text) is
'Argument: name of an origin. Returns its id, or raises QM404 origin_not_found.';
grant execute on function api.find_origin to qm_user;
