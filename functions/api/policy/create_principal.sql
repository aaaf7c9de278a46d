-- Writes: policy.principal.
create or replace function api.create_principal(
    name text, kind text default 'agent', role text default 'user', organisation text default null
)
returns bigint
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id bigint;
begin
    perform policy.require_principal();
    if create_principal.name !~ '^[^[:cntrl:]]{1,200}$' collate core.c_utf8 then
        perform core.fail(
            'argument_invalid',
            format('%L is not a valid principal name', left(create_principal.name, 200)),
            null,
            'Use 1 to 200 characters, without tabs, line breaks or other control characters.'
        );
    end if;
    insert into policy.principal (name, kind, role, organisation_id, created_by)
    values (
        create_principal.name, create_principal.kind, create_principal.role,
        policy.find_organisation(create_principal.organisation), policy.principal_id()
    )
    on conflict do nothing
    returning id into v_id;
    if v_id is null then
        perform core.fail(
            'principal_exists', format('a principal called %L already exists', left(create_principal.name, 200))
        );
    end if;
    return v_id;
end
$function$;
comment on function api.create_principal(text, text, text, text) is
'Creates a principal. Arguments: name: name of the principal; kind: person, agent or service; role: user, operator or '
'admin; organisation: name of the principal''s organisation (null: no organisation). Returns the id of the principal. '
'Raises QM403 principal_unknown, QM404 organisation_not_found, QM409 principal_exists, QM422 argument_invalid.';
grant execute on function api.create_principal to qm_admin;
