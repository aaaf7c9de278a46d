-- policy.principal_id: the setting qm.principal counts only for the service's own login. Any other session acts as its
-- database role, regardless of this setting.
-- Definer: the row policy of policy.principal calls this function. With the caller's rights, reading policy.principal
-- would apply this policy again, and so on without end. Callers get only the id of their own principal.
create or replace function policy.principal_id()
returns bigint
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    -- There are two statements, so that each can use its own index. This matters, because the row policies call this
    -- function several times in each query.
    if session_user = 'qm_service' then
        return (
            select p.id
            from policy.principal as p
            where p.id = nullif(current_setting('qm.principal', true), '')::bigint and p.enabled
        );
    end if;
    return (
        select p.id from policy.principal as p where p.database_role = session_user collate core.c_utf8 and p.enabled
    );
end
$function$;
comment on function policy.principal_id() is
'Returns the id of the caller''s principal. Returns null if the session has no principal, or if the principal is '
'disabled.';
grant execute on function policy.principal_id to qm_reader, qm_admin;
