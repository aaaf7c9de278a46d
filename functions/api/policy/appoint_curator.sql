-- api.appoint_curator: gives a principal the right to curate lookup tables, or takes that right away. The principal can
-- curate only tables that it may see.
-- The function runs with the rights of its owner (security definer), because no other role may write principals. Only
-- administrators may execute it.
-- Raises: QM403 principal_unknown, QM404 principal_not_found.  Writes: policy.principal.
create or replace function api.appoint_curator(name text, is_curator boolean default true)
returns void
language plpgsql
volatile parallel unsafe security definer
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
comment on function api.appoint_curator(text, boolean) is
'Gives a principal the right to curate lookup tables, or takes that right away. Arguments: name: name of the '
'principal; is_curator: whether the principal may curate lookup tables. Operators and administrators always may.';
grant execute on function api.appoint_curator to qm_admin;
