-- calls.answer_call: if there is a stored answer, the function returns the answer and completes the row of the call, so
-- that the call is not sent to the upstream again. Otherwise, the function claims the idempotency key for the call. If
-- two calls have the same key, one of them waits for the lock on the row of the key, and then sees the result of the
-- other. A call with an unknown outcome is sent again only if that is harmless, or if it answers a question that the
-- tool itself asked (input_required).
-- Writes: calls.call, calls.answer.
create or replace function calls.answer_call(
    p_call_id bigint,
    p_called_at timestamptz,
    p_principal_id bigint,
    p_item_id bigint,
    p_version integer,
    p_request_hash bytea,
    p_key text,
    p_continues boolean,
    p_terms jsonb,
    out answer text,
    out answered_by text,
    out answered_at timestamptz
)
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_outcome text;
    v_now constant timestamptz := core.now();
    v_keep constant interval := (core.get_setting('answer.keep_keys') #>> '{}')::interval;
    v_held record;
begin
    if p_key is null then
        select a.body, 'cache', a.created_at, 'ok'
        into answer, answered_by, answered_at, v_outcome
        from calls.answer as a
        where a.kind = 'cache'
            and a.item_id = p_item_id
            and a.name = format('%s %s', p_version, encode(p_request_hash, 'hex'))
            and a.principal_id
                is not distinct from case when p_terms @> '{"is_public": true}' then null else p_principal_id end
            and a.expires_at > v_now;
    else
        delete from calls.answer as a
        where a.kind = 'key'
            and a.principal_id = p_principal_id
            and a.item_id = p_item_id
            and a.name = p_key
            and a.expires_at <= v_now;
        insert into calls.answer (
            kind, principal_id, item_id, name, request_hash, call_id, called_at, created_at, expires_at
        )
        values ('key', p_principal_id, p_item_id, p_key, p_request_hash, p_call_id, p_called_at, v_now, v_now + v_keep)
        on conflict do nothing;
        if found then
            return;
        end if;
        select a.*
        into v_held
        from calls.answer as a
        where a.kind = 'key' and a.principal_id = p_principal_id and a.item_id = p_item_id and a.name = p_key
        for update;
        if v_held.request_hash <> p_request_hash then
            perform core.fail(
                'idempotency_key_reused',
                format('the idempotency key %L was already used with other arguments', left(p_key, 100))
            );
        end if;
        select c.outcome
        into v_outcome
        from calls.call as c
        where c.id = v_held.call_id and c.started_at = v_held.called_at;
        if v_held.body is not null then
            answer := v_held.body;
            answered_by := 'key';
            answered_at := v_held.created_at;
            v_outcome := coalesce(v_outcome, 'ok');
        else
            if v_outcome = 'pending' then
                perform core.fail(
                    'call_in_progress',
                    format('the call with the idempotency key %L is still in progress', left(p_key, 100))
                );
            end if;
            if not (p_continues or (p_terms ->> 'may_repeat')::boolean) then
                perform core.fail(
                    'call_outcome_unknown',
                    format(
                        'the call with the idempotency key %L has already been made (%s), and its answer was not '
                        'stored',
                        left(p_key, 100),
                        coalesce(v_outcome, 'forgotten')
                    )
                );
            end if;
            update calls.answer as a set call_id = p_call_id, called_at = p_called_at where a.id = v_held.id;
        end if;
    end if;
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
'Looks for a stored answer to a call. Arguments: p_call_id: id of the call; p_called_at: start time of the call; '
'p_principal_id: id of the calling principal; p_item_id: id of the tool; p_version: version of the tool; '
'p_request_hash: hash of the arguments; p_key: idempotency key (null: the client sent no key); p_continues: true if '
'the call answers a question that the tool asked in an earlier result (input_required); p_terms: terms of the tool '
'(limits and rules for its calls). Returns the stored answer as JSON, the source of the answer (the cache or the '
'idempotency key), and the time at which the answer was stored. If the answer is null, the caller must send the call '
'to the upstream. Raises QM422 idempotency_key_reused, QM409 call_in_progress, call_outcome_unknown.';
