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
    p_attempts integer,
    p_findings jsonb default null
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
        attempts = p_attempts,
        findings = p_findings
    where c.id = p_call_id
        -- Because the start time is given, PostgreSQL searches only the partition of one day.
        and (p_started_at is null or c.started_at = p_started_at)
        and c.principal_id = p_principal_id
        and c.outcome in ('pending', 'lost')
    returning c.origin_id, c.ref into v_origin_id, v_ref;
    if not found then
        return false;
    end if;
    perform calls.judge_call(p_call_id, v_origin_id, v_ref, p_outcome, p_duration_ms, p_principal_id);
    return true;
end
$function$;
comment on function calls.complete_call is
'Records the end of a call in the row of the call, and updates the circuit breakers of the origin. Arguments: '
'p_call_id: id of the call; p_started_at: start time of the call (null: unknown); p_principal_id: id of the calling '
'principal; p_outcome: outcome of the call; p_ended_at: end time; p_duration_ms: duration in milliseconds; '
'p_result_bytes: size of the result in bytes; p_failure: text of the error; p_attempts: how many times the upstream '
'may have received the request; p_findings: what the guardrails found (see calls.call). Returns true if the call was '
'pending or lost. Returns false and changes nothing if the end of the call was already recorded.';
