-- policy.has_role: row policies call this function. Therefore, which rows are visible depends on who asks, and never on
-- the database role under which a function runs.
-- Definer: row policies call this function, and policy.principal itself has a row policy.
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
