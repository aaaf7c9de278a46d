-- service.end_calls: calls that have already ended are skipped. The row of a repeatable call is committed without
-- waiting for the disk (service.call_begin), so a crash of the database server may lose the row. The record of the end
-- therefore contains everything that is needed to write the row again.
-- Writes: calls.call, calls.breaker.
create or replace function service.end_calls(ends jsonb)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_ended integer;
begin
    select count(*) filter (where calls.complete_call(
        e.call_id,
        e.started_at,
        e.principal_id,
        e.outcome,
        e.at,
        e.duration_ms,
        e.result_bytes,
        e.failure,
        e.attempts,
        e.findings
    ))
    into v_ended
    from (
        select r.*
        from jsonb_to_recordset(end_calls.ends) as r (
            call_id bigint, started_at timestamptz, principal_id bigint, outcome text, at timestamptz, duration_ms real,
            result_bytes bigint, failure text, attempts integer, findings jsonb
        )
        -- All functions lock rows in the same order, which prevents deadlocks.
        order by r.call_id
    ) as e;
    if v_ended < jsonb_array_length(end_calls.ends) then
        v_ended := v_ended + (select r.ended from service.replay_calls(end_calls.ends) as r);
    end if;
    return v_ended;
end
$function$;
comment on function service.end_calls(jsonb) is
'Records the ends of several calls at once. The data comes from the process that made these calls. Argument ends: JSON '
'array with an object for each call, in the form that service.replay_calls takes for records with event ''end''. The '
'possible outcomes are the same as in service.call_end. Returns how many calls were ended. Raises QM422 '
'record_invalid; 22P02 and 23514 for malformed values.';
grant execute on function service.end_calls to qm_service;
