-- Writes: policy.identity.
create or replace function api.bind_subject(name text, issuer text, subject text)
returns void
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id bigint;
begin
    perform policy.require_principal();
    v_id := policy.find_principal(bind_subject.name);
    delete from policy.identity as i where i.principal_id = v_id;
    if bind_subject.subject is null then
        return;
    end if;
    insert into policy.identity (issuer, subject, principal_id)
    values (bind_subject.issuer, bind_subject.subject, v_id)
    on conflict do nothing;
    if not found then
        perform core.fail(
            'principal_exists', format('the subject %L is bound to another principal', left(bind_subject.subject, 200))
        );
    end if;
end
$function$;
comment on function api.bind_subject(text, text, text) is
'Sets the subject whose tokens authenticate a principal. Earlier subjects of the principal can no longer be used. '
'Arguments: name: name of the principal; issuer: issuer of the principal''s tokens; subject: subject of the '
'principal''s tokens (issuer and subject null: no token authenticates the principal any longer). Raises QM403 '
'principal_unknown, QM404 principal_not_found, QM409 principal_exists. Can be null: issuer, subject.';
grant execute on function api.bind_subject to qm_admin;
