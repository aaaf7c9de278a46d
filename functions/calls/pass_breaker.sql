-- calls.pass_breaker: after the pause, one call may go through as a test: the first call that locks the rows of the
-- breakers. The other calls wait briefly for these rows, see the change, and are refused. If the process of the testing
-- call is killed, another call takes over after the time in the setting breaker.probe. The decision is returned and not
-- raised as an error, because an error would roll back the new state.
-- Writes: calls.breaker.
create or replace function calls.pass_breaker(p_origin_id bigint, p_call_id bigint, p_principal_id bigint default null)
returns table (unavailable_until timestamptz, unavailable_because text)
language plpgsql
volatile parallel unsafe security invoker
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_now constant timestamptz := core.now();
    v_probe constant interval := (core.get_setting('breaker.probe') #>> '{}')::interval;
    v_longest constant interval := greatest((core.get_setting('breaker.longest_pause') #>> '{}')::interval, v_probe);
begin
    -- All calls lock the rows in the same order, which prevents deadlocks.
    perform b.id
    from calls.breaker as b
    where b.origin_id = p_origin_id
        and (b.principal_id is null or b.principal_id = p_principal_id)
        and b.state <> 'closed'
    order by b.principal_id nulls first
    for update;
    return query
    select
        coalesce(b.probe_until, b.open_until),
        b.because || case b.state when 'half_open' then '; one call is trying it now' else '' end
    from calls.breaker as b
    where b.origin_id = p_origin_id
        and (b.principal_id is null or b.principal_id = p_principal_id)
        and b.state <> 'closed'
        and coalesce(b.probe_until, b.open_until) > v_now
        -- No breaker waits longer, unless the clock has been set back since.
        and coalesce(b.probe_until, b.open_until) <= v_now + v_longest
    order by 1 desc
    limit 1;
    if not found then
        update calls.breaker as b
        set
            state = 'half_open',
            probe_call_id = p_call_id,
            probe_until = v_now + v_probe
        where b.origin_id = p_origin_id
            and (b.principal_id is null or b.principal_id = p_principal_id)
            and b.state <> 'closed';
    end if;
end
$function$;
comment on function calls.pass_breaker(bigint, bigint, bigint) is
'Decides whether a call may go to an origin with a circuit breaker that is open or half open. Arguments: p_origin_id: '
'id of the origin; p_call_id: id of the call; p_principal_id: id of the calling principal, whose own breaker is also '
'checked. Returns no row if the call may go to the origin. Otherwise, returns the time from which a call may go to the '
'origin again, and the reason. If two breakers stop the call, the later time is returned.';
