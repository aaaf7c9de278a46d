-- Credentials of upstreams: how an origin is logged in to, beside a fixed credential. Locators and plain facts only.
-- One transaction with the service stopped or waiting; callers of the dropped are changed with it.
-- squawk-ignore-file ban-drop-function
alter table catalog.origin
add column auth jsonb not null default '{}' check (jsonb_typeof(auth) = 'object');
comment on column catalog.origin.auth is
'How requests to it are authorised: grant (authorization_code, client_credentials, signed), per_principal, scope, client_id, client_secret (a locator), issuer, audience, lifetime_s; {}: by auth_reference and headers alone.';
comment on column catalog.origin_version.connection is
'command, url, cwd, environment, headers, auth_reference, tls, meta and auth; secrets as locators only.';

-- These have an argument, or a column, more.
drop function if exists api.add_origin(
    text, text, text[], text, text, text, jsonb, jsonb, text, jsonb, jsonb, boolean
);
drop function if exists catalog.put_origin(
    text, text, text, text[], text, text, jsonb, jsonb, text, jsonb, jsonb, boolean
);
drop function if exists api.get_connection(bigint);
