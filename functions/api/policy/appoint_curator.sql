-- api.appoint_curator: lets a principal curate lookup tables, or no more. What it may not see it cannot curate.
-- Raises: QM403 principal_unknown, QM404 principal_not_found.  Writes: policy.principal.
create or replace function api.appoint_curator(name text, is_curator boolean default true)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id bigint;
begin
    perform policy.require_principal();
    v_id := policy.find_principal(appoint_curator.name);
    update policy.principal as p set is_curator = appoint_curator.is_curator where p.id = v_id;
end
$function$;
comment on function api.appoint_curator(text, boolean) is 'Arguments: name of the principal; whether it may curate. Operators and administrators may anyway.';
grant execute on function api.appoint_curator to qm_admin;
