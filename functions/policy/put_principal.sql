-- policy.put_principal: if no organisation is given, an existing principal keeps its organisation.
-- Writes: policy.principal.
create or replace function policy.put_principal(
    p_name text, p_kind text, p_role text, p_database_role text default null, p_organisation text default null
)
returns bigint
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id bigint;
begin
    insert into policy.principal as p (name, kind, role, database_role, organisation_id, created_by)
    values (p_name, p_kind, p_role, p_database_role, policy.find_organisation(p_organisation), policy.principal_id())
    on conflict (name) do update
    set
        kind = excluded.kind,
        role = excluded.role,
        database_role = excluded.database_role,
        organisation_id = coalesce(excluded.organisation_id, p.organisation_id),
        curates_decisions = p.curates_decisions and excluded.kind = 'person'
    returning p.id into v_id;
    return v_id;
end
$function$;
comment on function policy.put_principal(text, text, text, text, text) is
'Creates or updates a principal. Arguments: p_name: name of the principal; p_kind: kind of the principal: person, '
'agent or service; p_role: role of the principal: user, operator or admin; p_database_role: login role for psql '
'sessions of the principal (null: no login role); p_organisation: name of the principal''s organisation (null: no '
'organisation). Returns the id of the principal. Raises QM404 organisation_not_found.';
grant execute on function policy.put_principal to qm_reader;
