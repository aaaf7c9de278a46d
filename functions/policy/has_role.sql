-- policy.has_role: the caller's role decides about the visible rows. The database role under which a function runs
-- never does.
-- Definer: the row policy of policy.principal calls this function. With the caller's rights, reading policy.principal
-- would apply this policy again, and so on without end. Callers learn only their own role.
create or replace function policy.has_role(p_role text)
returns boolean
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_roles constant text[] := array['user', 'operator', 'admin'];
begin
    return exists (
        select from policy.principal as p
        where p.id = policy.principal_id() and array_position(v_roles, p.role) >= array_position(v_roles, p_role)
    );
end
$function$;
comment on function policy.has_role(text) is
'Checks whether the caller has at least the given role. Argument p_role: the role: user, operator or admin. Returns '
'true if the caller has this role or a higher one. Returns false if the session has no principal.';
grant execute on function policy.has_role to qm_reader, qm_admin;
