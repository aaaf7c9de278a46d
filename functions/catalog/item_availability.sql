-- catalog.item_availability: this is the availability function of every kind whose cards are items. Every search calls
-- this function, so it is written in PL/pgSQL, which caches the plan.
create or replace function catalog.item_availability(p_refs bigint[])
returns table (ref bigint, reason text, remedy text, until timestamptz)
language plpgsql
stable parallel safe security invoker
rows 10
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_now constant timestamptz := core.now();
begin
    return query
    select
        i.id,
        case
            when o.transport = 'none' then 'the server is in the catalog, but not connected'
            when b.until is not null then 'the server is failing: ' || b.because
            else 'the last request to the server failed: ' || o.failure
        end,
        case
            when o.transport = 'none'
                then format(
                    'An operator can connect the server with: qm origin add %s --replace --url URL (or a command).',
                    o.name
                )
            when b.until is not null then 'Wait until the given time, or use another item.'
            when o.failure_class = 'auth'
                then format(
                    'An operator can store or renew the credential; qm origin show %s names the credential.', o.name
                )
            else format(
                'An operator can inspect the server with qm origin show %s, and try again with qm origin refresh %1$s.',
                o.name
            )
        end,
        b.until
    from unnest(p_refs) as r (id)
    inner join catalog.item as i on i.id = r.id
    inner join catalog.origin as o on o.id = i.origin_id
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
    where o.transport = 'none' or b.until > v_now or o.status = 'failing';
end
$function$;
comment on function catalog.item_availability(bigint[]) is
'Finds items that cannot be used now, because their origin is unavailable. An origin is unavailable if it is not '
'connected, if its circuit breaker is open, or if its last refresh failed, for example because a credential is '
'missing. Argument p_refs: ids of items. Returns for each such item: the id, the reason, the remedy, and the time from '
'which the item can be used again (null: unknown).';
grant execute on function catalog.item_availability to qm_reader;
