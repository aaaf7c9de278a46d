-- Writes: policy.api_key.
create or replace function api.revoke_key(key_id bigint)
returns timestamptz
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_revoked_at timestamptz;
begin
    perform policy.require_principal();
    update policy.api_key as k
    set revoked_at = coalesce(k.revoked_at, core.now())
    where k.id = revoke_key.key_id
    returning k.revoked_at into v_revoked_at;
    if v_revoked_at is null then
        perform core.fail('key_not_found', format('there is no key with the id %s', revoke_key.key_id));
    end if;
    return v_revoked_at;
end
$function$;
comment on function api.revoke_key(bigint) is
'Revokes a key immediately. Argument key_id: id of the key. Returns the time at which the key was revoked. A key that '
'was revoked earlier keeps the earlier time. Raises QM404 key_not_found.';
grant execute on function api.revoke_key to qm_admin;
