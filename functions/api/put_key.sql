-- api.put_key: registers a bearer key of a principal under a label; an older key of that label is revoked at once.
-- Definer because keys are under a policy that nobody passes; executable by administrators.
-- Raises: QM403 principal_unknown, QM409 key_conflict, QM422 key_hash_invalid.  Writes: policy.api_key.
create or replace function api.put_key(
    principal text, label text, prefix text, key_hash bytea, expires_at timestamptz default null
)
returns bigint
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id bigint;
    v_key_id bigint;
begin
    perform policy.require_principal();
    if length(put_key.key_hash) is distinct from 32 then
        perform core.fail('key_hash_invalid', format('the digest has %s bytes', length(put_key.key_hash)));
    end if;
    select p.id into v_principal_id from policy.principal as p where p.name = put_key.principal;
    if v_principal_id is null then
        perform core.fail('principal_unknown', format('there is no principal called %L', put_key.principal));
    end if;
    select k.id into v_key_id
    from policy.api_key as k
    where k.key_hash = put_key.key_hash and k.principal_id = v_principal_id and k.label = put_key.label and k.revoked_at is null;
    if v_key_id is not null then
        return v_key_id;
    end if;
    perform from policy.api_key as k where k.key_hash = put_key.key_hash;
    if found then
        perform core.fail('key_conflict', format('the key %s… cannot be registered again', put_key.prefix));
    end if;
    update policy.api_key as k
    set revoked_at = core.now()
    where k.principal_id = v_principal_id and k.label = put_key.label and k.revoked_at is null;
    insert into policy.api_key (principal_id, label, prefix, key_hash, created_at, expires_at)
    values (v_principal_id, put_key.label, put_key.prefix, put_key.key_hash, core.now(), put_key.expires_at)
    returning id into v_key_id;
    return v_key_id;
end
$function$;
comment on function api.put_key(text, text, text, bytea, timestamptz) is
'Arguments: principal; label; prefix shown to people; SHA-256 of the key; expiry or null. Returns the key''s id; a key that is registered already keeps its id.';
