-- calls.complete_call: records how a call ended, in its row and for its origin, exactly once.
-- Writes: calls.call, calls.breaker.
create or replace function calls.complete_call(
    p_call_id bigint,
    p_started_at timestamptz,
    p_principal_id bigint,
    p_outcome text,
    p_ended_at timestamptz,
    p_duration_ms real,
    p_result_bytes bigint,
    p_failure text,
    p_attempts integer
)
returns boolean
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_origin_id bigint;
    v_ref bigint;
begin
    update calls.call as c
    set
        outcome = p_outcome,
        ended_at = p_ended_at,
        duration_ms = p_duration_ms,
        result_bytes = p_result_bytes,
        failure = left(p_failure, 2000),
        attempts = p_attempts
    where c.id = p_call_id
        -- With the time, only the partition of one day is read.
        and (p_started_at is null or c.started_at = p_started_at)
        and c.principal_id = p_principal_id
        and c.outcome in ('pending', 'lost')
    returning c.origin_id, c.ref into v_origin_id, v_ref;
    if not found then
        return false;
    end if;
    perform calls.judge_call(p_call_id, v_origin_id, v_ref, p_outcome, p_duration_ms);
    return true;
end
$function$;
comment on function calls.complete_call(bigint, timestamptz, bigint, text, timestamptz, real, bigint, text, integer) is
'Arguments: call; start time or null; its principal; outcome; end time; duration in milliseconds; size of the result '
'in bytes; text of the failure; how often the upstream may have received the request. Returns whether it was pending '
'or lost; otherwise nothing changes.';
