-- policy.principal_id: who is asking?
-- The setting qm.principal counts only in sessions of the service's own login; everybody else is who they logged in as, whatever they set.
-- Definer because policies call it, and policy.principal is itself under a policy.
create or replace function policy.principal_id()
returns bigint
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    -- Two statements, each with an index: every policy asks, several times a query.
    if session_user = 'qm_service' then
        return (
            select p.id from policy.principal as p where p.id = nullif(current_setting('qm.principal', true), '')::bigint and p.enabled
        );
    end if;
    return (select p.id from policy.principal as p where p.database_role = session_user and p.enabled);
end
$function$;
comment on function policy.principal_id() is 'Id of the asking principal; null where the session is nobody or the principal is disabled.';
grant execute on function policy.principal_id to qm_user;
