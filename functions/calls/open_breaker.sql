-- calls.open_breaker: the pause is the setting breaker.pause. If the call that tests the origin after a pause fails,
-- the breaker opens again, and the pause is doubled, up to breaker.longest_pause. If several calls try to open the
-- breaker at the same time, the first one to change the row opens it.
-- Writes: calls.breaker.
create or replace function calls.open_breaker(p_origin_id bigint, p_because text, p_principal_id bigint default null)
returns boolean
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_now constant timestamptz := core.now();
    v_pause constant interval := (core.get_setting('breaker.pause') #>> '{}')::interval;
    v_longest constant interval := (core.get_setting('breaker.longest_pause') #>> '{}')::interval;
begin
    insert into calls.breaker as b (origin_id, principal_id, state, because, trips, opened_at, open_until)
    values (p_origin_id, p_principal_id, 'open', p_because, 1, v_now, v_now + v_pause)
    on conflict (origin_id, principal_id) do update
        set
            state = 'open',
            because = excluded.because,
            trips = case b.state when 'closed' then 1 else b.trips + 1 end,
            opened_at = case b.state when 'closed' then v_now else b.opened_at end,
            open_until = v_now + least(
                v_longest, v_pause * power(2, case b.state when 'closed' then 0 else least(b.trips, 30) end)
            ),
            probe_call_id = null,
            probe_until = null
        where b.state <> 'open';
    if not found then
        return false;
    end if;
    perform pg_notify('qm_breakers', p_origin_id::text);
    return true;
end
$function$;
comment on function calls.open_breaker(bigint, text, bigint) is
'Opens a circuit breaker of an origin, so that the origin is not called for a while. Arguments: p_origin_id: id of the '
'origin; p_because: reason for opening the breaker; p_principal_id: id of the principal whose calls the breaker stops '
'(null: the calls of all principals). Returns true if the breaker was closed or half open before, false if the breaker '
'was open already.';
