-- calls.judge_call: what the end of a call says of its origin.
-- A call that was to show whether the origin is well again closes its breaker or opens it anew; one that shows nothing leaves the trial
-- to the next. Any other call that failed, or was slow, has the origin judged; a quick success costs one look into a tiny index.
-- Writes: calls.breaker.
create or replace function calls.judge_call(p_call_id bigint, p_origin_id bigint, p_item_id bigint, p_outcome text, p_duration_ms real)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_is_probe constant boolean := exists (select from calls.breaker as b where b.probe_call_id = p_call_id);
    v_is_failure constant boolean := calls.is_failure(p_outcome);
    -- Slow is nothing below a second, whatever the settings say, so the usual call does not ask for them.
    v_is_slow constant boolean := p_duration_ms > 1000 and calls.is_slow(p_item_id, p_duration_ms);
begin
    if v_is_probe and v_is_failure then
        perform calls.open_breaker(p_origin_id, format('it was tried again and failed (%s)', p_outcome));
    elsif v_is_probe and v_is_slow then
        perform calls.open_breaker(p_origin_id, format('it was tried again and took %s s', round(p_duration_ms / 1000)));
    elsif v_is_probe and p_outcome in ('ok', 'tool_error') then
        perform calls.close_breaker(p_origin_id);
    elsif v_is_probe then
        update calls.breaker as b
        set state = 'open', open_until = core.now(), probe_call_id = null, probe_until = null
        where b.origin_id = p_origin_id and b.probe_call_id = p_call_id;
    elsif v_is_failure or v_is_slow then
        perform calls.judge_origin(p_origin_id);
    end if;
end
$function$;
comment on function calls.judge_call(bigint, bigint, bigint, text, real) is 'To be called when a call has ended. Arguments: call, its origin, its tool or null, outcome, milliseconds.';
