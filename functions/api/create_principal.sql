-- api.create_principal: somebody new who may ask.
-- Raises: QM403 principal_unknown, QM409 principal_exists.  Writes: policy.principal.
create or replace function api.create_principal(
    name text, kind text default 'agent', role text default 'user', issuer text default null, subject text default null
)
returns bigint
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id bigint;
begin
    perform policy.require_principal();
    insert into policy.principal (name, kind, role, issuer, subject)
    values (create_principal.name, create_principal.kind, create_principal.role, create_principal.issuer, create_principal.subject)
    on conflict do nothing
    returning id into v_id;
    if v_id is null then
        perform core.fail('principal_exists', format('there is a principal called %L, or one of this subject', left(create_principal.name, 200)));
    end if;
    return v_id;
end
$function$;
comment on function api.create_principal(text, text, text, text, text) is
'Arguments: name; kind (person, agent, service); role (user, operator, admin); issuer and subject of its tokens, or null. Returns its id.';
