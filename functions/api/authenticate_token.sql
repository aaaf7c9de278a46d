-- api.authenticate_token: who is the subject of a token whose signature, issuer, audience and times the service has checked?
-- Only a principal bound to this issuer and subject: a name in a token never makes one somebody who is there already.
-- The newest token says the role, where tokens say one; an older one that still lives does not take it back.
-- Definer because no principal is set yet; executable by the service's login only.
-- Raises: QM403 subject_unknown, QM409 principal_exists.  Writes: policy.principal.
create or replace function api.authenticate_token(
    issuer text, subject text, issued_at timestamptz, claimed_name text default null, claimed_role text default null,
    creates boolean default false
)
returns table (principal_id bigint, principal text, role text)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_name constant text := coalesce(authenticate_token.claimed_name, authenticate_token.subject);
    v_role constant text := authenticate_token.claimed_role;
    v_found policy.principal;
begin
    if authenticate_token.creates then
        insert into policy.principal (name, kind, role, issuer, subject, claimed_at)
        select v_name, 'person', coalesce(v_role, 'user'), authenticate_token.issuer, authenticate_token.subject, authenticate_token.issued_at
        where
            not exists (
                select
                from policy.principal as p
                where p.issuer = authenticate_token.issuer and p.subject = authenticate_token.subject
            )
        on conflict do nothing;
    end if;
    select * into v_found
    from policy.principal as p
    where p.issuer = authenticate_token.issuer and p.subject = authenticate_token.subject;
    if v_found.id is null and authenticate_token.creates then
        perform core.fail(
            'principal_exists', format('the token''s name %L is that of another principal', left(v_name, 200)), null,
            'An administrator can bind the two: qm principal bind NAME SUBJECT.'
        );
    end if;
    if v_found.id is null or not v_found.enabled then
        perform core.fail('subject_unknown', format('the subject %L is no enabled principal', left(authenticate_token.subject, 200)));
    end if;
    if v_role <> v_found.role and authenticate_token.issued_at > coalesce(v_found.claimed_at, '-infinity') then
        update policy.principal as p set role = v_role, claimed_at = authenticate_token.issued_at where p.id = v_found.id;
    end if;
    return query select p.id, p.name, p.role from policy.principal as p where p.id = v_found.id;
end
$function$;
comment on function api.authenticate_token(text, text, timestamptz, text, text, boolean) is
'Principal of a verified token. Arguments: issuer; subject; when it was issued; name for a new principal (default: the subject); role the token says, or null; whether an unknown subject becomes a principal.';
