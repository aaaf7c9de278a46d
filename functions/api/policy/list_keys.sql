create or replace function api.list_keys(of_principal text default null)
returns table (
    id bigint, principal text, label text, prefix text, state text, created_at timestamptz, last_used_at timestamptz,
    expires_at timestamptz, revoked_at timestamptz
)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select
        k.id, p.name, k.label, k.prefix,
        case
            when k.revoked_at is not null then 'revoked'
            when k.expires_at <= core.now() then 'expired'
            when not p.enabled then 'disabled'
            else 'live'
        end,
        k.created_at, k.last_used_at, k.expires_at, k.revoked_at
    from policy.api_key as k
    inner join policy.principal as p on p.id = k.principal_id
    where list_keys.of_principal is null or p.name = list_keys.of_principal
    order by p.name, k.id;
$function$;
comment on function api.list_keys(text) is
'Lists keys, but never their secret texts. Argument of_principal: name of a principal (null: list the keys of all '
'principals). Returns for each key: its id; its principal; its label; its prefix; its state (live, expired, revoked, '
'or disabled if the principal is disabled); and the times of creation, last use, expiry and revocation. Can be null: '
'last_used_at, expires_at, revoked_at.';
grant execute on function api.list_keys to qm_admin;
