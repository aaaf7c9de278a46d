-- catalog.require_allowed: whoever chooses a program decides what runs on the machine, and whoever chooses a locator
-- decides who gets a secret. Operators may therefore use only secrets that are stored under the name of the origin, and
-- whatever an administrator has allowed (api.allow). Values that are already stored stay allowed while the origin keeps
-- its address, so an operator can change the description.
create or replace function catalog.require_allowed(
    p_name text,
    p_transport text,
    p_command text[],
    p_url text,
    p_cwd text,
    p_environment jsonb,
    p_headers jsonb,
    p_auth_reference text,
    p_tls jsonb,
    p_auth jsonb
)
returns void
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_now catalog.origin;
    v_refused text;
begin
    if policy.has_role('admin') then
        return;
    end if;
    select o.*
    into v_now
    from catalog.origin as o
    where
        o.name = p_name
        and o.status <> 'removed'
        and o.transport = p_transport
        and o.command = coalesce(p_command, '{}')
        and o.url is not distinct from p_url
        and o.cwd is not distinct from p_cwd;

    if v_now.id is null and p_transport = 'stdio' then
        if p_cwd is not null then
            v_refused := format('the working directory %s', p_cwd);
        elsif not catalog.is_allowed('program', array_to_json(p_command)::text, p_name) then
            v_refused := format('the program %s', array_to_json(p_command));
        end if;
    end if;
    if coalesce(p_auth, '{}') not in ('{}', coalesce(v_now.auth, '{}')) then
        v_refused := coalesce(v_refused, 'the authorisation settings');
    end if;
    if coalesce(p_tls, '{}') <> coalesce(v_now.tls, '{}') and coalesce(p_tls, '{}') - 'pins' <> '{}' then
        v_refused := coalesce(v_refused, 'the TLS settings');
    end if;
    v_refused := coalesce(
        v_refused,
        (
            select min(format('the credential %s', g.locator) collate core.c_utf8)
            from (
                select e.value as locator
                from jsonb_each_text(coalesce(p_environment, '{}')) as e
                union all
                select e.value
                from jsonb_each_text(coalesce(p_headers, '{}')) as e
                union all
                select p_auth_reference
                union all
                select l.locator
                from catalog.locators_of(p_command, p_url) as l (locator)
            ) as g
            where
                g.locator is not null
                and not (
                    p_name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,47}$'
                    and starts_with(g.locator, format('secret:%s/', p_name))
                )
                and not catalog.is_allowed(
                    case when starts_with(g.locator, 'env:') then 'environment' else 'secret' end, g.locator, p_name
                )
                and not coalesce(
                    g.locator = v_now.auth_reference
                    or exists (
                        select from jsonb_each_text(v_now.environment || v_now.headers) as k where k.value = g.locator
                    )
                    or g.locator in (
                        select l.locator from catalog.locators_of(v_now.command, v_now.url) as l (locator)
                    ),
                    false
                )
        )
    );
    if v_refused is not null then
        perform core.fail(
            'not_allowed',
            format('only an administrator may allow %s for the origin %L', v_refused, p_name),
            null,
            'Ask an administrator to run: qm origin allow.'
        );
    end if;
end
$function$;
comment on function catalog.require_allowed(text, text, text[], text, text, jsonb, jsonb, text, jsonb, jsonb) is
'Raises QM403 not_allowed if only an administrator may define an origin with the given arguments, and the caller is '
'not an administrator. Arguments: the same as the arguments of api.add_origin.';
