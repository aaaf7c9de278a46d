-- api.put_key: if the principal already has a key with this label, that key is revoked, or an error is raised. The
-- argument `replaces` decides between the two.
-- Writes: policy.api_key.
create or replace function api.put_key(
    principal text,
    label text,
    prefix text,
    key_hash bytea,
    expires_at timestamptz default null,
    replaces boolean default true
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
        perform core.fail(
            'key_hash_invalid', format('the digest is %s bytes long instead of 32', length(put_key.key_hash))
        );
    end if;
    if put_key.expires_at <= core.now() then
        perform core.fail(
            'argument_invalid',
            format('the expiry %s is in the past', put_key.expires_at),
            null,
            'Give a time in the future.'
        );
    end if;
    v_principal_id := policy.find_principal(put_key.principal);
    select k.id
    into v_key_id
    from policy.api_key as k
    where k.key_hash = put_key.key_hash
        and k.principal_id = v_principal_id
        and k.label = put_key.label
        and k.revoked_at is null;
    if v_key_id is not null then
        return v_key_id;
    end if;
    perform from policy.api_key as k where k.key_hash = put_key.key_hash;
    if found then
        perform core.fail('key_conflict', format('the key %s… cannot be registered again', put_key.prefix));
    end if;
    if put_key.replaces then
        update policy.api_key as k
        set revoked_at = core.now()
        where k.principal_id = v_principal_id and k.label = put_key.label and k.revoked_at is null;
    end if;
    insert into policy.api_key (principal_id, label, prefix, key_hash, created_at, expires_at)
    values (v_principal_id, put_key.label, put_key.prefix, put_key.key_hash, core.now(), put_key.expires_at)
    on conflict do nothing
    returning id into v_key_id;
    if v_key_id is null then
        perform core.fail(
            'key_label_taken', format('%L already has a key called %L', put_key.principal, put_key.label)
        );
    end if;
    return v_key_id;
end
$function$;
comment on function api.put_key(text, text, text, bytea, timestamptz, boolean) is
'Registers a bearer key for a principal under a label. Arguments: principal: name of the principal; label: label of '
'the key; prefix: first characters of the key, by which people recognise the key; key_hash: SHA-256 of the key; '
'expires_at: expiry time (null: the key does not expire); replaces: true to replace an older key that has this label. '
'Returns the id of the key. A key that is already registered keeps its id. Raises QM404 principal_not_found, QM409 '
'key_conflict or key_label_taken, QM422 key_hash_invalid or argument_invalid.';
grant execute on function api.put_key to qm_admin;
