-- policy.principal_id: returns the principal of this session.
-- The setting qm.principal counts only for the service's own login. Any other session acts as its database role,
-- whatever it sets.
-- Definer because policies call it, and policy.principal itself is under a policy.
create or replace function policy.principal_id()
returns bigint
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    -- Two statements, each with an index, because every policy calls this several times a query.
    if session_user = 'qm_service' then
        return (
            select p.id from policy.principal as p where p.id = nullif(current_setting('qm.principal', true), '')::bigint and p.enabled
        );
    end if;
    return (select p.id from policy.principal as p where p.database_role = session_user and p.enabled);
end
$function$;
comment on function policy.principal_id() is
'Returns the id of the caller''s principal; null if the session has none or it is disabled.';
grant execute on function policy.principal_id to qm_user;
