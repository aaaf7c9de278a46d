-- service.authenticate_token: the service has already checked the token's signature, issuer, audience and times. Only a
-- principal that is bound to this issuer and subject matches. A name in a token never gives its bearer the rights of an
-- existing principal.
-- If tokens contain a role and an organisation, the newest token sets them; an older token that is still valid does not
-- reset them.
-- Definer: the session has no principal yet, so the row policy hides all rows of policy.principal. Only the service's
-- login may call the function.
-- Writes: policy.identity, policy.principal.
create or replace function service.authenticate_token(
    issuer text,
    subject text,
    issued_at timestamptz,
    claimed_name text default null,
    claimed_role text default null,
    claimed_organisation text default null,
    creates boolean default false
)
returns table (principal_id bigint, principal text, role text)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_role constant text := authenticate_token.claimed_role;
    v_organisation_id constant bigint := policy.find_organisation(authenticate_token.claimed_organisation);
    v_id bigint;
    v_claimed_at timestamptz;
begin
    select i.principal_id, i.claimed_at
    into v_id, v_claimed_at
    from policy.identity as i
    where i.issuer = authenticate_token.issuer and i.subject = authenticate_token.subject;
    if v_id is null and authenticate_token.creates then
        v_id := policy.admit_subject(
            authenticate_token.issuer,
            authenticate_token.subject,
            authenticate_token.claimed_name,
            v_role,
            v_organisation_id
        );
    end if;
    if authenticate_token.issued_at > coalesce(v_claimed_at, '-infinity') then
        update policy.identity as i set claimed_at = authenticate_token.issued_at where i.principal_id = v_id;
        update policy.principal as p
        set role = coalesce(v_role, p.role), organisation_id = coalesce(v_organisation_id, p.organisation_id)
        where p.id = v_id and (v_role <> p.role or v_organisation_id <> coalesce(p.organisation_id, 0));
    end if;
    return query select p.id, p.name, p.role from policy.principal as p where p.id = v_id and p.enabled;
    if not found then
        perform core.fail(
            'subject_unknown',
            format(
                'the subject %L of the token does not belong to an enabled principal',
                left(authenticate_token.subject, 200)
            )
        );
    end if;
end
$function$;
comment on function service.authenticate_token(text, text, timestamptz, text, text, text, boolean) is
'Returns the principal to which a verified token belongs. Arguments: issuer: issuer of the token; subject: subject of '
'the token; issued_at: time at which the token was issued; claimed_name: name for a new principal (default: the '
'subject); claimed_role: role that the token contains (null: the token contains no role); claimed_organisation: '
'organisation that the token contains (null: the token contains no organisation); creates: true to create a principal '
'if no principal has this subject. Raises QM403 subject_unknown, QM404 organisation_not_found, QM409 principal_exists.';
grant execute on function service.authenticate_token to qm_service;
