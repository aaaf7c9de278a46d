-- calls.pass_breaker: may this call go to an origin whose breaker is not closed?
-- When its pause is over, one call may: whoever changes the row first. The others wait for that row for as long as a call takes to begin,
-- find it changed, and are refused. A call whose process was killed gives its place back after the setting breaker.probe.
-- Returns the verdict instead of raising it: a raise would undo the state change.
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
comment on function calls.pass_breaker(bigint, bigint) is 'Arguments: origin, call. No row: it may go. Else until when it is not called at the latest, and why.';
