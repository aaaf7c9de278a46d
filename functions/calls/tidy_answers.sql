-- calls.tidy_answers: an idempotency key is kept until it expires, even if its stored answer is deleted earlier. A key
-- alone takes almost no space.
-- Writes: calls.answer.
create or replace function calls.tidy_answers()
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_most constant bigint := core.get_setting('answer.most_bytes')::bigint;
    v_expired integer;
    v_evicted integer;
begin
    delete from calls.answer as a where a.expires_at <= core.now();
    get diagnostics v_expired = row_count;
    -- Only the stored answer is removed. The key itself must stay until it expires, because it proves that the call was
    -- made.
    update calls.answer as a
    set body = null
    from (
        select x.id, sum(octet_length(x.body)) over (order by x.created_at desc, x.id desc) as bytes
        from calls.answer as x
        where x.body is not null
    ) as s
    where a.id = s.id and s.bytes > v_most and a.body is not null;
    get diagnostics v_evicted = row_count;
    delete from calls.answer as a where a.kind <> 'key' and a.body is null;
    return v_expired + v_evicted;
end
$function$;
comment on function calls.tidy_answers() is
'Deletes expired answers. If the other answers together are then larger than the setting answer.most_bytes, also '
'deletes the oldest of these answers. Returns how many answers were deleted.';
