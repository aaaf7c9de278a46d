create or replace function catalog.check_auth(
    p_origin text, p_transport text, p_auth_reference text, p_auth jsonb, p_tls jsonb
)
returns void
language plpgsql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_grant constant text := p_auth ->> 'grant';
    v_unknown constant text := (
        select min(k.name collate core.c_utf8)
        from jsonb_object_keys(p_auth) as k (name)
        where k.name not in (
            'grant', 'per_principal', 'scope', 'client_id', 'client_secret', 'issuer', 'audience', 'lifetime_s'
        )
    );
begin
    -- The error message does not repeat the value, because the value may be a secret.
    if p_auth ->> 'client_secret' !~ '^(secret|env):[A-Za-z0-9_./-]+$' or p_tls::text ~ 'PRIVATE KEY' then
        perform core.fail(
            'origin_invalid',
            format('the settings of origin %L contain a secret itself instead of a reference to it', p_origin),
            null,
            'Store the secret with qm secret set, and refer to it as secret:NAME. Or set an environment variable, and '
            'refer to it as env:NAME.'
        );
    end if;
    if v_unknown is not null then
        perform core.fail(
            'origin_invalid', format('the authorisation of origin %L has the unknown member %L', p_origin, v_unknown)
        );
    end if;
    if jsonb_typeof(p_auth -> 'per_principal') <> 'boolean' or jsonb_typeof(p_auth -> 'lifetime_s') <> 'number' then
        perform core.fail(
            'origin_invalid',
            format('per_principal of origin %L must be true or false, and lifetime_s must be a number', p_origin)
        );
    end if;
    if (p_auth ->> 'lifetime_s')::numeric not between 10 and 3600 then
        perform core.fail(
            'origin_invalid',
            format('lifetime_s of origin %L must be between 10 and 3600, got %s', p_origin, p_auth ->> 'lifetime_s')
        );
    end if;
    if v_grant is null then
        return;
    end if;
    if v_grant not in ('authorization_code', 'client_credentials', 'signed') then
        perform core.fail(
            'origin_invalid',
            format('%L is not a known grant', v_grant),
            null,
            'Use "authorization_code", "client_credentials" or "signed".'
        );
    end if;
    if p_transport not in ('http', 'sse') then
        perform core.fail(
            'origin_invalid', format('origin %L does not use HTTP, so no token can be sent to it', p_origin)
        );
    end if;
    if p_auth_reference is not null then
        perform core.fail(
            'origin_invalid', format('origin %L has both a bearer credential and the grant %s', p_origin, v_grant)
        );
    end if;
    if v_grant = 'client_credentials'
        and num_nulls(p_auth ->> 'client_id', p_auth ->> 'client_secret', p_auth ->> 'issuer') > 0
    then
        perform core.fail(
            'origin_invalid',
            format(
                'origin %L has the grant client_credentials, which needs client_id, client_secret and issuer', p_origin
            )
        );
    end if;
end
$function$;
comment on function catalog.check_auth(text, text, text, jsonb, jsonb) is
'Raises QM422 origin_invalid in two cases: requests to an origin cannot be authorised with the given settings, or the '
'settings contain a secret instead of a reference to it (locator). Arguments: p_origin: name of the origin; '
'p_transport: transport of the origin; p_auth_reference: reference to the origin''s bearer credential; p_auth and '
'p_tls: objects auth and tls, as in api.add_origin.';
