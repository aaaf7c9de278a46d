-- calls.answer_call: returns the stored answer of a call and completes its row, or claims its key (calls.find_answer).
-- Raises: QM422 idempotency_key_reused, QM409 call_in_progress, call_outcome_unknown.  Writes: calls.call, calls.answer.
create or replace function calls.answer_call(
    p_call_id bigint, p_called_at timestamptz, p_principal_id bigint, p_item_id bigint, p_version integer, p_request_hash bytea, p_key text,
    p_continues boolean, p_terms jsonb, out answer text, out answered_by text, out answered_at timestamptz
)
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_outcome text;
begin
    select f.answer, f.answered_by, f.answered_at, f.outcome into answer, answered_by, answered_at, v_outcome
    from calls.find_answer(
        p_call_id, p_called_at, p_principal_id, p_item_id, p_version, p_request_hash, p_key, p_continues, p_terms
    ) as f;
    update calls.call as c
    set
        outcome = v_outcome,
        ended_at = core.now(),
        duration_ms = 0,
        result_bytes = octet_length(answer_call.answer),
        attempts = 0,
        answered_by = answer_call.answered_by
    where answer_call.answer is not null and c.id = p_call_id and c.started_at = p_called_at;
end
$function$;
comment on function calls.answer_call(bigint, timestamptz, bigint, bigint, integer, bytea, text, boolean, jsonb) is
'Arguments: the call and its start time; its principal; the tool and its version; hash of the arguments; idempotency '
'key or null; whether it continues an input-required result; terms of the tool. Returns the answer as JSON, its '
'source (the cache or the key), and when it was stored; a null answer means: ask the upstream.';
