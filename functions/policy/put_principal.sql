-- policy.put_principal: creates or updates a principal, for the installer and for administrators.
-- Without an organisation given, a principal keeps its own.
-- Raises: QM404 organisation_not_found.  Writes: policy.principal.
create or replace function policy.put_principal(
    p_name text, p_kind text, p_role text, p_database_role text default null, p_organisation text default null
)
returns bigint
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_organisation_id bigint;
    v_id bigint;
begin
    if p_organisation is not null then
        select o.id into v_organisation_id from policy.organisation as o where o.name = p_organisation;
        if v_organisation_id is null then
            perform core.fail('organisation_not_found', format('there is no organisation called %L', p_organisation));
        end if;
    end if;
    insert into policy.principal as p (name, kind, role, database_role, organisation_id)
    values (p_name, p_kind, p_role, p_database_role, v_organisation_id)
    on conflict (name) do update
    set
        kind = excluded.kind,
        role = excluded.role,
        database_role = excluded.database_role,
        organisation_id = coalesce(excluded.organisation_id, p.organisation_id)
    returning p.id into v_id;
    return v_id;
end
$function$;
comment on function policy.put_principal(text, text, text, text, text) is
'Creates or updates a principal. Arguments: name; kind (person, agent, service); role (user, operator, admin); login '
'role of psql sessions or null; organisation or null. Returns its id.';
grant execute on function policy.put_principal to qm_admin;
