-- service.call_end: a call that was marked as lost can still be ended later.
-- Writes: calls.call, calls.answer, calls.breaker.
create or replace function service.call_end(
    call_id bigint,
    outcome text,
    duration_ms real,
    result_bytes bigint default null,
    failure text default null,
    started_at timestamptz default null,
    attempts integer default 1,
    answer text default null,
    arguments_hash bytea default null,
    releases_key boolean default false,
    findings jsonb default null
)
returns void
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_service();
begin
    if not calls.complete_call(
        call_end.call_id,
        call_end.started_at,
        v_principal_id,
        call_end.outcome,
        core.now(),
        call_end.duration_ms,
        call_end.result_bytes,
        call_end.failure,
        call_end.attempts,
        call_end.findings
    ) then
        perform core.fail('call_not_found', format('call %s is not pending', call_end.call_id));
    end if;
    if call_end.answer is not null or call_end.releases_key then
        perform calls.keep_answer(
            call_end.call_id,
            call_end.started_at,
            v_principal_id,
            call_end.answer,
            call_end.arguments_hash,
            call_end.releases_key,
            (
                select catalog.call_terms(c.ref)
                from calls.call as c
                where c.id = call_end.call_id and (call_end.started_at is null or c.started_at = call_end.started_at)
            )
        );
    end if;
end
$function$;
comment on function service.call_end(
    bigint, text, real, bigint, text, timestamptz, integer, text, bytea, boolean, jsonb
) is
'Records the end of a call. Arguments: call_id: id of the call, from service.call_begin; outcome: outcome of the call '
'(ok, tool_error, invalid_arguments, timeout, cancelled, busy, auth, network, died, protocol, too_large, unavailable, '
'internal); duration_ms: duration in milliseconds; result_bytes: size of the result in bytes; failure: text of the '
'error; started_at: start time that was given to service.call_begin; attempts: how many times the upstream may have '
'received the request; answer: the answer as JSON, which is stored only if the call has an idempotency key or the '
'tool''s answers are cached; arguments_hash: SHA-256 of the arguments (needed only if answer is given); releases_key: '
'true to release the idempotency key because the request never reached the upstream; findings: what the guardrails '
'found (see calls.call). Raises QM404 call_not_found.';
grant execute on function service.call_end to qm_service, qm_user;
