-- policy.admit_subject: if another transaction has just created the principal of this subject, the function returns
-- that principal.
-- Writes: policy.principal, policy.identity.
create or replace function policy.admit_subject(
    p_issuer text, p_subject text, p_name text, p_role text, p_organisation_id bigint
)
returns bigint
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_name constant text := coalesce(p_name, p_subject);
    v_id bigint;
begin
    insert into policy.principal (name, kind, role, organisation_id)
    values (v_name, 'person', coalesce(p_role, 'user'), p_organisation_id)
    on conflict do nothing
    returning id into v_id;
    if v_id is not null then
        insert into policy.identity (issuer, subject, principal_id) values (p_issuer, p_subject, v_id);
        return v_id;
    end if;
    select i.principal_id into v_id from policy.identity as i where i.issuer = p_issuer and i.subject = p_subject;
    if v_id is null then
        perform core.fail(
            'principal_exists',
            format(
                'the name %L in the token already belongs to a principal that is not bound to the token''s subject',
                left(v_name, 200)
            ),
            null,
            'An administrator can bind this principal to the token''s subject: qm principal bind NAME SUBJECT.'
        );
    end if;
    return v_id;
end
$function$;
comment on function policy.admit_subject(text, text, text, text, bigint) is
'Creates a principal for an unknown subject and binds the subject to this principal. Arguments: p_issuer: issuer of '
'the token; p_subject: subject of the token; p_name: name of the principal (default: the subject); p_role: role of the '
'principal (default: user); p_organisation_id: id of the principal''s organisation (null: no organisation). Returns '
'the id of the principal. Raises QM409 principal_exists.';
