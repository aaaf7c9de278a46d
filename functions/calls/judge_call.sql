-- calls.judge_call: a test call closes the breakers that it tested, or opens them again. If the outcome of the test
-- proves nothing, the next call becomes the test. After every failed or slow call, calls.judge_origin checks whether to
-- open a breaker. A quick success costs only one lookup in a tiny index.
-- Writes: calls.breaker.
create or replace function calls.judge_call(
    p_call_id bigint, p_origin_id bigint, p_item_id bigint, p_outcome text, p_duration_ms real, p_principal_id bigint
)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_is_probe constant boolean := exists (select from calls.breaker as b where b.probe_call_id = p_call_id);
    v_is_failure constant boolean := calls.is_failure(p_outcome);
    -- A call that takes less than one second never counts as slow, whatever the settings say. For most calls, the
    -- settings therefore need not be read.
    v_is_slow constant boolean := p_duration_ms > 1000 and calls.is_slow(p_item_id, p_duration_ms);
begin
    if v_is_probe and (v_is_failure or v_is_slow) then
        perform calls.open_breaker(
            p_origin_id,
            case
                when v_is_failure then format('a test call failed (%s)', p_outcome)
                else format('a test call took %s s', round(p_duration_ms / 1000))
            end,
            w.principal_id
        )
        from (select b.principal_id from calls.breaker as b where b.probe_call_id = p_call_id) as w;
    elsif v_is_probe and p_outcome in ('ok', 'tool_error') then
        perform calls.close_breaker(p_origin_id, p_call_id);
    elsif v_is_probe then
        update calls.breaker as b
        set state = 'open', open_until = core.now(), probe_call_id = null, probe_until = null
        where b.origin_id = p_origin_id and b.probe_call_id = p_call_id;
    end if;
    if v_is_failure or v_is_slow then
        perform calls.judge_origin(p_origin_id, p_principal_id);
    end if;
end
$function$;
comment on function calls.judge_call(bigint, bigint, bigint, text, real, bigint) is
'Updates the circuit breakers of an origin when a call has ended. Arguments: p_call_id: id of the call; p_origin_id: '
'id of the origin; p_item_id: id of the tool (null: the call is a read); p_outcome: outcome of the call; '
'p_duration_ms: duration in milliseconds; p_principal_id: id of the principal that made the call.';
