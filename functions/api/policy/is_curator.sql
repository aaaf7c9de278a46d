create or replace function api.is_curator()
returns boolean
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select policy.is_curator();
$function$;
comment on function api.is_curator() is
'Returns true if the caller may curate lookup tables: curators of lookup tables, operators and administrators.';
alter function api.is_curator owner to qm_reader;
grant execute on function api.is_curator to qm_user;
