-- calls.keep_answer: an answer that is larger than the setting answer.largest is not stored; in that case, the key only
-- proves that the call was made.
-- Writes: calls.answer.
create or replace function calls.keep_answer(
    p_call_id bigint,
    p_called_at timestamptz,
    p_principal_id bigint,
    p_body text,
    p_request_hash bytea,
    p_releases_key boolean,
    p_terms jsonb
)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_now constant timestamptz := core.now();
    v_is_kept constant boolean := octet_length(p_body) <= core.get_setting('answer.largest')::integer;
    v_tool record;
begin
    if p_releases_key then
        delete from calls.answer as a
        where a.kind = 'key' and a.call_id = p_call_id and a.called_at = p_called_at and a.body is null;
        return;
    end if;
    if v_is_kept is not true then
        return;
    end if;
    update calls.answer as a
    set body = p_body, created_at = v_now
    where a.kind = 'key' and a.call_id = p_call_id and a.called_at = p_called_at and a.principal_id = p_principal_id;
    if found then
        return;
    end if;
    select c.ref, c.version, c.outcome
    into v_tool
    from calls.call as c
    where c.id = p_call_id and c.started_at = p_called_at and c.principal_id = p_principal_id;
    if v_tool.outcome = 'ok' and p_terms ->> 'cache_s' is not null then
        insert into calls.answer as a (
            kind, principal_id, item_id, name, request_hash, call_id, called_at, body, created_at, expires_at
        )
        values (
            'cache',
            case when not p_terms @> '{"is_public": true}' then p_principal_id end,
            v_tool.ref,
            format('%s %s', v_tool.version, encode(p_request_hash, 'hex')),
            p_request_hash,
            p_call_id,
            p_called_at,
            p_body,
            v_now,
            v_now + make_interval(secs => (p_terms ->> 'cache_s')::double precision)
        )
        on conflict on constraint answer_name_key do update
        set
            body = excluded.body,
            call_id = excluded.call_id,
            called_at = excluded.called_at,
            created_at = excluded.created_at,
            expires_at = excluded.expires_at;
    end if;
end
$function$;
comment on function calls.keep_answer(bigint, timestamptz, bigint, text, bytea, boolean, jsonb) is
'Stores the answer to a call, for the call''s idempotency key or for the cache of the tool, or releases the '
'idempotency key. Arguments: p_call_id: id of the call; p_called_at: start time of the call; p_principal_id: id of the '
'calling principal; p_body: answer to the call, as JSON; p_request_hash: hash of the call''s arguments; '
'p_releases_key: true to release the idempotency key, because the request never reached the upstream; p_terms: terms '
'of the tool (limits and rules for its calls).';
