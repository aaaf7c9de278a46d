-- api.bind_subject: makes the tokens of a subject act as a principal.
-- Raises: QM403 principal_unknown, QM404 principal_not_found, QM409 principal_exists.  Writes: policy.principal.
create or replace function api.bind_subject(name text, issuer text, subject text)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id bigint;
begin
    perform policy.require_principal();
    v_id := policy.find_principal(bind_subject.name);
    perform
    from policy.principal as p
    where p.issuer = bind_subject.issuer and p.subject = bind_subject.subject and p.id <> v_id;
    if found then
        perform core.fail('principal_exists', format('the subject %L is another principal', left(bind_subject.subject, 200)));
    end if;
    update policy.principal as p
    set issuer = bind_subject.issuer, subject = bind_subject.subject, claimed_at = null
    where p.id = v_id;
end
$function$;
comment on function api.bind_subject(text, text, text) is 'Arguments: principal; issuer and subject of its tokens, both null for none.';
