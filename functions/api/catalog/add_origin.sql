-- api.add_origin: a starter that runs the same server is removed (catalog.make_room).
-- Writes: catalog.origin, catalog.refresh.
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
    sandbox jsonb default '{}',
    is_starter boolean default false,
    start_limit_s integer default null
)
returns bigint
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_was_starter constant boolean := (select o.is_starter from catalog.origin as o where o.name = add_origin.name);
    v_origin_id bigint;
begin
    perform policy.require_principal();
    -- What a starter repeats is no imitation, so not every operator may call a server a starter.
    if add_origin.is_starter and not policy.has_role('admin') then
        perform core.fail('not_allowed', format('only an administrator may add %L as a starter', add_origin.name));
    end if;
    if add_origin.is_starter
        and not add_origin.replace
        and catalog.is_unwanted(add_origin.name, add_origin.command)
    then
        return null;
    end if;
    perform catalog.require_allowed(
        add_origin.name,
        add_origin.transport,
        add_origin.command,
        add_origin.url,
        add_origin.cwd,
        add_origin.environment,
        add_origin.headers,
        add_origin.auth_reference,
        add_origin.tls,
        add_origin.auth
    );
    perform catalog.check_sandbox(
        add_origin.name, add_origin.transport, add_origin.command, add_origin.cwd, add_origin.sandbox
    );
    perform catalog.check_start_limit(add_origin.name, add_origin.start_limit_s);
    v_origin_id := catalog.put_origin(
        add_origin.name,
        add_origin.description,
        add_origin.transport,
        add_origin.command,
        add_origin.url,
        add_origin.cwd,
        add_origin.environment,
        add_origin.headers,
        add_origin.auth_reference,
        add_origin.tls,
        add_origin.meta,
        add_origin.replace,
        add_origin.auth,
        add_origin.sandbox
    );
    update catalog.origin as o
    set start_limit_s = add_origin.start_limit_s
    where o.id = v_origin_id and add_origin.start_limit_s is not null;
    -- If the server behind the name is another one now, its next refresh is the first.
    update catalog.origin as o
    set
        is_starter = add_origin.is_starter,
        replaced_by = case when not add_origin.is_starter then o.replaced_by end,
        refreshed_at = case when v_was_starter is not distinct from add_origin.is_starter then o.refreshed_at end
    where o.id = v_origin_id and (add_origin.is_starter or v_was_starter);
    if add_origin.transport = 'stdio' and not add_origin.is_starter then
        perform catalog.make_room(catalog.starters_like(add_origin.command), v_origin_id);
    end if;
    if add_origin.transport <> 'none' then
        perform catalog.request_refresh(v_origin_id);
    end if;
    return v_origin_id;
end
$function$;
comment on function api.add_origin is
'Creates an origin and requests its first refresh. Arguments: name: name of the origin; transport: stdio, http, sse or '
'none; command: program with its arguments (only for stdio); url: URL of the server (only for http and sse); '
'description: description of the origin; cwd: working directory of the program; environment: object that maps the name '
'of each environment variable to a reference to a secret (secret:NAME or env:NAME); headers: object that maps the name '
'of each HTTP header to such a reference; auth_reference: reference to a bearer credential; tls: object {verify, '
'ca_file, pins, client_certificate, client_key}; meta: JSON object with further data about the origin; replace: true '
'to replace an existing origin of this name (a starter is always replaced); auth: object {grant, per_principal, scope, '
'client_id, client_secret, issuer, audience, lifetime_s}; sandbox: what a local server (stdio) may see, as {folders: '
'[{path, write}], network}, in which network is internet, none or host; is_starter: true for a starter (a server that '
'the service adds by itself); a starter is not added if the user has replaced or removed it, or already has the same '
'server, unless replace is true; start_limit_s: longest time for a start of the server, in seconds (null: a replaced '
'origin keeps its limit, and for a new origin the settings of the service decide). Returns the id of the origin (null: '
'the starter was not added). Raises QM403 not_allowed, QM409 origin_exists, QM422 origin_invalid. Can be null: result.';
grant execute on function api.add_origin to qm_operator;
