create or replace function api.list_origins(as_of timestamptz default null)
returns table (
    name text, transport text, status text, items jsonb, description text, protocol_version text,
    refreshed_at timestamptz, failure_class text, failure text, unavailable_until timestamptz, unavailable_because text
)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select core.require_past(list_origins.as_of);
    select
        o.name,
        o.transport,
        o.status,
        coalesce(t.items, '{}'),
        o.description,
        o.protocol_version,
        o.refreshed_at,
        o.failure_class,
        o.failure,
        b.until,
        b.because
    from catalog.origin as o
    left join lateral (
        -- The breaker for everybody, or the caller's own: whichever is open longer.
        select coalesce(b.probe_until, b.open_until) as until, b.because
        from calls.breaker as b
        where b.origin_id = o.id
            and b.state <> 'closed'
            and (b.principal_id is null or b.principal_id = (select policy.principal_id()))
        order by 1 desc
        limit 1
    ) as b on true
    left join (
        select i.origin_id, core.tally(array_agg(i.kind)) as items
        from catalog.item as i
        where i.is_live
        group by i.origin_id
    ) as t on t.origin_id = o.id
    where list_origins.as_of is null and o.status <> 'removed'
    union all
    select v.name, v.transport, null, coalesce(f.items, '{}'), v.description, null, null, null, null, null, null
    from catalog.origin_version as v
    left join (
        select i.origin_id, core.tally(array_agg(i.kind)) as items
        from catalog.offer as f
        inner join catalog.item as i on i.id = f.item_id
        where f.valid_from <= list_origins.as_of and (f.valid_to is null or f.valid_to > list_origins.as_of)
        group by i.origin_id
    ) as f on f.origin_id = v.origin_id
    where v.valid_from <= list_origins.as_of
        and (v.valid_to is null or v.valid_to > list_origins.as_of)
        and not v.is_removed
    order by 1;
$function$;
comment on function api.list_origins(timestamptz) is
'Lists the origins that the caller may see, now or at a given time. Argument as_of: a time in the past (default: now). '
'The caller''s present rights apply, not the rights at that time. Returns for each origin: its name, transport and '
'status (new, ready or failing); the number of its offered items by kind {kind: number}; its description; its protocol '
'version; the time of its last refresh; its last failure; and, if a circuit breaker is open, the reason and the time '
'until which the caller cannot call the origin. For a time in the past, returns only name, transport, items and '
'description. Raises QM422 argument_invalid. Can be null: protocol_version, refreshed_at, failure_class, failure, '
'unavailable_until, unavailable_because, status.';
alter function api.list_origins owner to qm_reader;
grant execute on function api.list_origins to qm_user;
