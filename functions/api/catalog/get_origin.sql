-- api.get_origin: secrets are shown as locators (references to the secret store).
create or replace function api.get_origin(name text)
returns jsonb
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_origin_id bigint;
begin
    perform policy.require_principal();
    v_origin_id := catalog.origin_id(get_origin.name);
    return (
        select
            to_jsonb(o) - 'id' - 'replaced_by'
            || jsonb_build_object(
                'replaces', array(select s.name from catalog.origin as s where s.replaced_by = o.id order by s.name),
                'networks', catalog.networks_of(o.name),
                'breaker', (
                    select to_jsonb(b) - '{id,origin_id,principal_id}'::text[]
                    from calls.breaker as b
                    where b.origin_id = o.id and b.principal_id is null
                ),
                'paused', (
                    select coalesce(
                        jsonb_agg(
                            jsonb_build_object(
                                'principal', p.name,
                                'until', coalesce(b.probe_until, b.open_until),
                                'because', b.because
                            )
                            order by p.name
                        ),
                        '[]'
                    )
                    from calls.breaker as b
                    inner join policy.principal as p on p.id = b.principal_id
                    where b.origin_id = o.id and b.state <> 'closed'
                ),
                'items', (
                    select coalesce(
                        jsonb_agg(
                            jsonb_build_object(
                                'kind', i.kind,
                                'name', i.public_name,
                                'brief', i.brief,
                                'version', i.version,
                                'status', i.status,
                                'deprecated_at', i.deprecated_at
                            ) order by i.kind, i.public_name
                        ),
                        '[]'
                    )
                    from catalog.item as i
                    where i.origin_id = o.id
                ),
                'last_refresh', (
                    select to_jsonb(r) - 'id' - 'origin_id' - 'instance_id'
                    from catalog.refresh as r
                    where r.origin_id = o.id
                    order by r.requested_at desc
                    limit 1
                )
            )
        from catalog.origin as o
        where o.id = v_origin_id
    );
end
$function$;
comment on function api.get_origin(text) is
'Describes an origin. Argument name: name of the origin. Returns JSON with the columns of catalog.origin and these '
'members: breaker: the row of calls.breaker for all principals (a circuit breaker; null: there was never such a '
'breaker); paused: array of principals whose own breaker is open, with the time until which it is open (until) and the '
'reason (because); replaces: the names of the starters (servers that the service adds by itself) that this origin has '
'replaced; networks: non-public networks to which the origin may connect; items: the items of the origin, sorted by '
'kind and name; last_refresh: the last refresh of the origin. Raises QM404 origin_not_found.';
grant execute on function api.get_origin to qm_operator;
