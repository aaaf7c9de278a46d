-- Writes: catalog.refresh.
create or replace function api.renew_credential(locator text default null, name text default null)
returns table (refresh_id bigint, origin text)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_origin_id bigint;
begin
    perform policy.require_principal();
    if renew_credential.name is not null then
        v_origin_id := catalog.origin_id(renew_credential.name);
    end if;
    return query
    with users as materialized (
        select o.id, o.name
        from catalog.origin as o
        where
            o.transport <> 'none'
            and o.status <> 'removed'
            and (
                o.id = v_origin_id
                or o.auth_reference = renew_credential.locator
                or renew_credential.locator in (select l.used from catalog.locators_of(o.command, o.url) as l (used))
                or exists (
                    select
                    from (values (o.environment), (o.headers), (o.auth), (o.tls)) as s (settings)
                    cross join lateral jsonb_each_text(s.settings) as e
                    where e.value = renew_credential.locator
                )
            )
    ),

    -- After the notification, every service process reads the definition of the origin again, and with it the new
    -- credential.
    told as materialized (
        select u.id, u.name, pg_notify('qm_origins', u.id::text) from users as u
    )

    select catalog.request_refresh(t.id), t.name
    from told as t
    order by t.name;
end
$function$;
comment on function api.renew_credential(text, text) is
'Reconnects and refreshes every origin that uses a changed credential. Arguments: locator: reference to the changed '
'credential, as secret:NAME (null: no reference is given); name: name of an origin that has a new login (null: no '
'origin is given). Returns for each of these origins the name of the origin, and the id of the refresh that is now '
'waiting. Raises QM404 origin_not_found.';
grant execute on function api.renew_credential to qm_operator;
