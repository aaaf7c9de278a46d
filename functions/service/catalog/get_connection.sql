create or replace function service.get_connection(origin_id bigint)
returns table (
    id bigint, name text, transport text, command text[], url text, cwd text, environment jsonb, headers jsonb,
    auth_reference text, tls jsonb, auth jsonb, revision integer, sandbox jsonb,
    networks text[], start_limit_s integer
)
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    return query
    select
        o.id, o.name, o.transport, o.command, o.url, o.cwd, o.environment, o.headers, o.auth_reference, o.tls, o.auth,
        o.revision,
        o.sandbox, catalog.networks_of(o.name), o.start_limit_s
    from catalog.origin as o
    where o.id = get_connection.origin_id and o.status <> 'removed';
    if not found then
        perform core.fail('origin_not_found', format('there is no origin with the id %s', get_connection.origin_id));
    end if;
end
$function$;
comment on function service.get_connection(bigint) is
'Returns the data that a process needs to connect to an origin. Argument origin_id: id of the origin. Returns: the '
'transport; the command or the URL; the working directory; the TLS settings; the OAuth settings; references to the '
'secrets for environment variables, headers and the credential; the sandbox; the non-public networks to which the '
'origin may connect; the longest time for a start of its server, in seconds; and a revision number. The revision '
'number changes when the definition of the origin changes, and when somebody requests a restart of its server. Raises '
'QM404 origin_not_found. Can be null: url, cwd, auth_reference, start_limit_s.';
grant execute on function service.get_connection to qm_operator;
