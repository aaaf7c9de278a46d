-- Writes: catalog.origin, cards of its items when its description changes.
create or replace function catalog.put_origin(
    p_name text,
    p_description text,
    p_transport text,
    p_command text[],
    p_url text,
    p_cwd text,
    p_environment jsonb,
    p_headers jsonb,
    p_auth_reference text,
    p_tls jsonb,
    p_meta jsonb,
    p_replace boolean,
    p_auth jsonb default '{}',
    p_sandbox jsonb default '{}'
)
returns bigint
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id bigint;
    v_described constant text := (select o.description from catalog.origin as o where o.name = p_name);
begin
    if coalesce(p_name, '') = '' or length(p_name) > 200 then
        perform core.fail(
            'origin_invalid',
            'the name of an origin must be 1 to 200 characters long',
            null,
            'Choose a short name, such as github.'
        );
    end if;
    if p_transport is null or p_transport not in ('stdio', 'http', 'sse', 'none') then
        perform core.fail(
            'origin_invalid',
            format('%L is not a transport', p_transport),
            null,
            'Use "stdio", "http", "sse" or "none".'
        );
    end if;
    if p_transport = 'stdio' and cardinality(coalesce(p_command, '{}')) = 0 then
        perform core.fail('origin_invalid', format('origin %L has transport stdio but no command', p_name));
    end if;
    if p_transport in ('http', 'sse') and coalesce(p_url, '') !~ '^https?://' then
        perform core.fail('origin_invalid', format('the URL of origin %L must begin with http:// or https://', p_name));
    end if;
    -- The row must not contain the value of a secret, only its locator.
    perform from (
        select value
        from jsonb_each_text(coalesce(p_environment, '{}'))
        union all
        select value
        from jsonb_each_text(coalesce(p_headers, '{}'))
        union all
        select p_auth_reference
        union all
        select l.locator
        from catalog.locators_of(p_command, p_url) as l (locator)
    ) as e
    where e.value !~ '^(secret|env):[A-Za-z0-9_./-]+$' or e.value ~ '^secret:(login|principals)/';
    if found then
        perform core.fail(
            'origin_invalid',
            format('the settings of origin %L contain a secret itself instead of a reference to it', p_name),
            null,
            'Store the secret with qm secret set, and refer to it as secret:NAME. Or set an environment variable, and '
            'refer to it as env:NAME.'
        );
    end if;

    perform catalog.check_auth(p_name, p_transport, p_auth_reference, coalesce(p_auth, '{}'), coalesce(p_tls, '{}'));

    insert into catalog.origin as o (
        name, slug, description, transport, command, url, cwd, environment, headers, auth_reference, tls, meta, auth,
        sandbox
    )
    values (
        p_name,
        catalog.origin_slug(p_name),
        coalesce(p_description, ''),
        p_transport,
        coalesce(p_command, '{}'),
        p_url,
        p_cwd,
        coalesce(p_environment, '{}'),
        coalesce(p_headers, '{}'),
        p_auth_reference,
        coalesce(p_tls, '{}'),
        coalesce(p_meta, '{}'),
        coalesce(p_auth, '{}'),
        coalesce(p_sandbox, '{}')
    )
    on conflict (name) do update
    set
        description = excluded.description,
        transport = excluded.transport,
        command = excluded.command,
        url = excluded.url,
        cwd = excluded.cwd,
        environment = excluded.environment,
        headers = excluded.headers,
        auth_reference = excluded.auth_reference,
        tls = excluded.tls,
        meta = excluded.meta,
        auth = excluded.auth,
        sandbox = excluded.sandbox,
        revision = o.revision + 1,
        is_starter = false,
        replaced_by = case when o.is_starter then o.id else o.replaced_by end,
        status = case when o.status = 'removed' then 'new' else o.status end
    where ((p_replace or o.is_starter) and o.transport <> 'built-in') or o.status = 'removed'
    returning o.id into v_id;
    if v_id is null then
        perform core.fail('origin_exists', format('an origin called %L already exists', p_name));
    end if;
    -- The description of an origin is part of the searchable text of its items.
    if v_described <> coalesce(p_description, '') then
        perform catalog.show_items(array_agg(i.id)) from catalog.item as i where i.origin_id = v_id and i.is_live;
    end if;
    perform pg_notify('qm_origins', v_id::text);
    return v_id;
end
$function$;
comment on function catalog.put_origin is
'Creates or replaces an origin. Arguments: p_replace: true to replace an existing origin of this name (a starter, '
'which is a server that the service adds by itself, is always replaced); all other arguments: as in api.add_origin. '
'Returns the id of the origin. Announces the origin on channel qm_origins. Raises QM409 origin_exists, QM422 '
'origin_invalid.';
