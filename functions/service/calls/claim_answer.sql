-- service.claim_answer: the upstream recognises a repeated call by the idempotency key in the arguments. A call with an
-- unknown outcome may therefore be sent again.
-- Writes: calls.call, calls.answer.
create or replace function service.claim_answer(
    call_id bigint, started_at timestamptz, arguments_hash bytea, idempotency_key text, continues boolean default false
)
returns table (answer text, answered_by text, answered_at timestamptz)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_service();
    v_call record;
    v_terms jsonb;
begin
    select c.ref, c.version
    into v_call
    from calls.call as c
    where c.id = claim_answer.call_id
        and c.started_at = claim_answer.started_at
        and c.principal_id = v_principal_id
        and c.outcome = 'pending'
        and c.ref is not null;
    if v_call.ref is null then
        perform core.fail('call_not_found', format('call %s is not pending', claim_answer.call_id));
    end if;
    v_terms := catalog.call_terms(v_call.ref);
    return query
    select k.answer, k.answered_by, k.answered_at
    from calls.answer_call(
        claim_answer.call_id,
        claim_answer.started_at,
        v_principal_id,
        v_call.ref,
        v_call.version,
        claim_answer.arguments_hash,
        claim_answer.idempotency_key,
        claim_answer.continues,
        v_terms || jsonb_build_object(
            'may_repeat', v_terms ->> 'key_argument' is not null or (v_terms ->> 'may_repeat')::boolean
        )
    ) as k;
end
$function$;
comment on function service.claim_answer(bigint, timestamptz, bytea, text, boolean) is
'Looks for a stored answer to a call whose idempotency key is one of the tool''s arguments. (The term key_argument of '
'the tool names this argument.) Arguments: call_id: id of a call that has begun; started_at: start time that was given '
'to service.call_begin; arguments_hash: SHA-256 of the arguments; idempotency_key: idempotency key that the arguments '
'contain; continues: true if the call answers a question that the tool asked in an earlier result (input_required). '
'Returns the stored answer as JSON, the source of the answer, and the time at which the answer was stored. If no '
'answer is stored, reserves the key for this call and returns nulls. The caller must then send the call to the '
'upstream, and end the call with the upstream''s answer. Raises QM404 call_not_found, QM422 idempotency_key_reused, '
'QM409 call_in_progress. Can be null: answer, answered_by, answered_at.';
grant execute on function service.claim_answer to qm_user;
