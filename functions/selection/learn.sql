-- selection.learn: selection.receipt_calls says which calls belong to a receipt. If a call was successful, its card was
-- right for the goal. If a card was ranked higher but not called, the card was wrong; training uses such cards as hard
-- negatives.
-- Writes: selection.outcome, selection.judgement, selection.receipt.
create or replace function selection.learn(p_limit integer default 1000)
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_now constant timestamptz := core.now();
    v_window constant interval := (core.get_setting('feedback.window') #>> '{}')::interval;
    v_receipt_ids constant bigint[] := array(
        select r.id
        from selection.receipt as r
        where r.learned_at is null and r.created_at <= v_now - v_window
        order by r.created_at
        limit p_limit
        for update skip locked
    );
begin
    insert into selection.outcome (receipt_id, ref, rank, calls, successes, duration_ms)
    select
        c.receipt_id, c.ref, min(c.rank), count(*), count(*) filter (where c.outcome = 'ok'), avg(c.duration_ms)::real
    from selection.receipt_calls(v_receipt_ids) as c
    where c.rank is not null and c.outcome <> 'pending'
    group by c.receipt_id, c.ref
    on conflict do nothing;

    insert into selection.judgement as j (kind, goal_hash, ref, goal, mode, successes, passed_over, first_at, last_at)
    select
        r.kind,
        sha256(convert_to(lower(r.goal), 'UTF8')),
        s.ref,
        min(r.goal),
        min(r.mode),
        sum(s.successes),
        sum(s.passed_over),
        min(r.created_at),
        max(r.created_at)
    from selection.receipt as r
    cross join lateral (
        select max(x.rank) as rank from selection.outcome as x where x.receipt_id = r.id and x.successes > 0
    ) as best
    cross join lateral (
        select x.ref, x.successes, 0 as passed_over
        from selection.outcome as x
        where x.receipt_id = r.id and x.successes > 0
        union all
        select (o.offer ->> 'ref')::bigint, 0, 1
        from jsonb_array_elements(r.offered) as o (offer)
        where (o.offer ->> 'rank')::integer < best.rank
            and not exists (
                select from selection.outcome as x where x.receipt_id = r.id and x.ref = (o.offer ->> 'ref')::bigint
            )
    ) as s
    where r.id = any(v_receipt_ids)
    group by 1, 2, 3
    on conflict (kind, goal_hash, ref) do update
    set
        successes = j.successes + excluded.successes,
        passed_over = j.passed_over + excluded.passed_over,
        last_at = excluded.last_at;

    update selection.receipt as r set learned_at = v_now where r.id = any(v_receipt_ids);
    return cardinality(v_receipt_ids);
end
$function$;
comment on function selection.learn(integer) is
'Links the receipts (records) of searches to the calls that followed the searches. A receipt is linked only once, when '
'the receipt is older than the setting feedback.window. Argument p_limit: maximum number of receipts. Returns the '
'number of receipts that were linked.';
