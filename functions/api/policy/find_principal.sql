-- Definer: the session has no principal yet, so the row policy hides all rows of policy.principal. Only the service's
-- login may call the function.
create or replace function api.find_principal(name text)
returns table (principal_id bigint, principal text, role text)
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    return query
    select p.id, p.name, p.role from policy.principal as p where p.name = find_principal.name and p.enabled;
    if not found then
        perform core.fail('principal_unknown', format('there is no enabled principal called %L', find_principal.name));
    end if;
end
$function$;
comment on function api.find_principal(text) is
'Finds a principal by name, for local access, that is, for stdio sessions and the service''s own worker. Argument '
'name: name of the principal. Returns the id, name and role of the principal. Raises QM403 principal_unknown.';
grant execute on function api.find_principal to qm_service;
