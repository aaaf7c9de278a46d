-- service.authenticate: the function runs for every request, so a revoked key is refused immediately. It records the
-- last use of the key at most once a minute, and does not wait until the record is written.
-- Writes: policy.api_key.
create or replace function service.authenticate(key_hash bytea)
returns table (principal_id bigint, principal text, role text)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_key_id bigint;
    v_used_at timestamptz;
begin
    select k.id, k.last_used_at, p.id, p.name, p.role
    into v_key_id, v_used_at, principal_id, principal, role
    from policy.api_key as k
    inner join policy.principal as p on p.id = k.principal_id
    where k.key_hash = authenticate.key_hash
        and k.revoked_at is null
        and (k.expires_at is null or k.expires_at > core.now())
        and p.enabled;
    if v_key_id is null then
        perform core.fail('key_invalid', 'the key is not valid');
    end if;
    if v_used_at is null or v_used_at < core.now() - interval '1 minute' then
        update policy.api_key as k
        set last_used_at = core.now()
        where k.id = (select u.id from policy.api_key as u where u.id = v_key_id for update skip locked);
    end if;
    return next;
end
$function$;
comment on function service.authenticate(bytea) is
'Returns the principal to which a bearer key belongs. Argument key_hash: SHA-256 of the key. Raises QM401 key_invalid '
'if the key is not valid.';
grant execute on function service.authenticate to qm_service;
