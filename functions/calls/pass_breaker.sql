-- calls.pass_breaker: decides whether a call may go to an origin whose breaker is not closed.
-- After the pause, one call may go through: the first one that changes the row. The other calls wait briefly for the
-- row, see the change, and are refused. If the process of the testing call is killed, another call takes over after the
-- time in the setting breaker.probe.
-- It returns the decision instead of raising an error, because an error would roll back the new state.
-- Writes: calls.breaker.
create or replace function calls.pass_breaker(p_origin_id bigint, p_call_id bigint)
returns table (unavailable_until timestamptz, unavailable_because text)
language plpgsql
volatile parallel unsafe security invoker
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_now constant timestamptz := core.now();
begin
    update calls.breaker as b
    set
        state = 'half_open',
        probe_call_id = p_call_id,
        probe_until = v_now + (core.get_setting('breaker.probe') #>> '{}')::interval
    where b.origin_id = p_origin_id
        and case b.state when 'open' then b.open_until <= v_now when 'half_open' then b.probe_until <= v_now else false end;
    if not found then
        return query
        select
            case b.state when 'open' then b.open_until else b.probe_until end,
            b.because || case b.state when 'half_open' then '; one call is trying it now' else '' end
        from calls.breaker as b
        where b.origin_id = p_origin_id and b.state <> 'closed';
    end if;
end
$function$;
comment on function calls.pass_breaker(bigint, bigint) is
'Decides whether a call may go to an origin whose breaker is not closed. Arguments: p_origin_id: id of the origin; '
'p_call_id: id of the call. Returns no row if the call may go through; otherwise returns the latest time at which '
'calls are allowed again, and the reason.';
