-- Definer: the row policies of other tables call this function. Callers learn only their own organisation.
create or replace function policy.organisation_id()
returns bigint
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    return (select p.organisation_id from policy.principal as p where p.id = policy.principal_id());
end
$function$;
comment on function policy.organisation_id() is
'Returns the id of the organisation of the caller. Returns null if the caller belongs to no organisation, or if the '
'session has no principal.';
grant execute on function policy.organisation_id to qm_reader, qm_admin;
