-- api.authenticate: whose key is this?
-- Definer because keys are under a policy that nobody passes; executable by the service's login only.
-- Raises: QM401 key_invalid, the same for unknown, expired and revoked.
create or replace function api.authenticate(key_hash bytea)
returns table (principal_id bigint, principal text, role text)
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    return query
    select p.id, p.name, p.role
    from policy.api_key as k
    inner join policy.principal as p on p.id = k.principal_id
    where k.key_hash = authenticate.key_hash
        and k.revoked_at is null
        and (k.expires_at is null or k.expires_at > core.now())
        and p.enabled;
    if not found then
        perform core.fail('key_invalid', 'the key is not valid');
    end if;
end
$function$;
comment on function api.authenticate(bytea) is 'Principal of a bearer key. Argument: SHA-256 of the key. QM401 key_invalid where there is none.';
