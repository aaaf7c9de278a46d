-- api.is_curator: tells whether the caller may curate lookup tables.
create or replace function api.is_curator()
returns boolean
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    return policy.is_curator();
end
$function$;
comment on function api.is_curator() is 'True for curators, operators and administrators.';
grant execute on function api.is_curator to qm_user;
