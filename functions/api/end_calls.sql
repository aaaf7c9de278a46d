-- api.end_calls: how several calls ended, as a process noted it for each; one that has its end already is passed over.
-- Definer because the call log is written by such functions only; executable by the service's login only.
-- Raises: 22P02 and 23514 where a value is none.  Writes: proxy.call, proxy.breaker.
create or replace function api.end_calls(ends jsonb)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    return (
        select count(*) filter (where proxy.complete_call(
            e.call_id, e.started_at, e.principal_id, e.outcome, e.at, e.duration_ms, e.result_bytes, e.failure, e.attempts
        ))
        from (
            select r.*
            from jsonb_to_recordset(end_calls.ends) as r (
                call_id bigint, started_at timestamptz, principal_id bigint, outcome text, at timestamptz, duration_ms real,
                result_bytes bigint, failure text, attempts integer
            )
            -- Everybody takes rows in this order, so nobody waits for each other.
            order by r.call_id
        ) as e
    );
end
$function$;
comment on function api.end_calls(jsonb) is
'Argument: array of {call_id, started_at (as api.call_begin was told), principal_id, outcome, at (when it ended), duration_ms, result_bytes, failure, attempts}; outcomes as in api.call_end. Returns how many calls were ended.';
