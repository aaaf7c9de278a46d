-- api.add_origin: creates an origin and requests its first refresh.
-- The function runs with the rights of its owner (security definer), because only catalog functions may write to the
-- catalog. Operators may execute it.
-- Raises: QM403 not_allowed, QM409 origin_exists, QM422 origin_invalid.  Writes: catalog.origin, catalog.refresh.
create or replace function api.add_origin(
    name text,
    transport text,
    command text[] default '{}',
    url text default null,
    description text default '',
    cwd text default null,
    environment jsonb default '{}',
    headers jsonb default '{}',
    auth_reference text default null,
    tls jsonb default '{}',
    meta jsonb default '{}',
    replace boolean default false,
    auth jsonb default '{}',
    sandbox jsonb default '{}'
)
returns bigint
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_origin_id bigint;
begin
    perform policy.require_principal();
    perform catalog.require_allowed(
        add_origin.name, add_origin.transport, add_origin.command, add_origin.url, add_origin.cwd, add_origin.environment,
        add_origin.headers, add_origin.auth_reference, add_origin.tls, add_origin.auth
    );
    perform catalog.check_sandbox(add_origin.name, add_origin.transport, add_origin.command, add_origin.cwd, add_origin.sandbox);
    v_origin_id := catalog.put_origin(
        add_origin.name, add_origin.description, add_origin.transport, add_origin.command, add_origin.url, add_origin.cwd,
        add_origin.environment, add_origin.headers, add_origin.auth_reference, add_origin.tls, add_origin.meta, add_origin.replace,
        add_origin.auth, add_origin.sandbox
    );
    if add_origin.transport <> 'none' then
        perform catalog.request_refresh(v_origin_id);
    end if;
    return v_origin_id;
end
$function$;
comment on function api.add_origin(text, text, text[], text, text, text, jsonb, jsonb, text, jsonb, jsonb, boolean, jsonb, jsonb) is
'Creates an origin and requests its first refresh. Arguments: name: name of the origin; transport: stdio, http, sse or '
'none; command: program with its arguments (only for stdio); url: URL of the server (only for http and sse); '
'description: description of the origin; cwd: working directory of the program; environment: object that maps the name '
'of each environment variable to a reference to a secret (secret:NAME or env:NAME); headers: object that maps the name '
'of each HTTP header to such a reference; auth_reference: reference to a bearer credential; tls: object {verify, '
'ca_file, pins, client_certificate, client_key}; meta: JSON object with further data about the origin; replace: true '
'to replace an existing origin of this name; auth: object {grant, per_principal, scope, client_id, client_secret, '
'issuer, audience, lifetime_s}; sandbox: what a local server (stdio) may see, as {folders: [{path, write}], network}, '
'in which network is internet, none or host. Returns the id of the origin.';
grant execute on function api.add_origin to qm_operator;
