-- selection.learn: a call belongs to the receipt that it names. If a call names no receipt, it belongs to the newest
-- earlier receipt of the same principal that offered the card. A card that was used successfully was right for its
-- goal. A card that was ranked above such a card but not called was wrong: training uses it as a hard negative.
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
    with offer as (
        select
            r.id as receipt_id,
            r.principal_id,
            r.created_at,
            r.kind,
            (o.offer ->> 'ref')::bigint as ref,
            (o.offer ->> 'rank')::integer as rank
        from selection.receipt as r
        inner join search.kind as k on k.name = r.kind and k.has_outcomes
        cross join jsonb_array_elements(r.offered) as o (offer)
        where r.id = any(v_receipt_ids) and o.offer ? 'ref'
    ),

    called as (
        select f.receipt_id, f.ref, f.rank, c.outcome, c.duration_ms
        from offer as f
        inner join calls.call as c on c.receipt_id = f.receipt_id and c.kind = f.kind and c.ref = f.ref
        where c.outcome <> 'pending'
        union all
        select f.receipt_id, f.ref, f.rank, c.outcome, c.duration_ms
        from offer as f
        inner join calls.call as c
            on c.principal_id = f.principal_id
                and c.kind = f.kind
                and c.ref = f.ref
                and c.started_at between f.created_at and f.created_at + v_window
        where c.outcome <> 'pending'
            and c.receipt_id is null
            and not exists (
                select
                from selection.receipt as n
                where n.principal_id = f.principal_id
                    and n.kind = f.kind
                    and n.created_at > f.created_at
                    and n.created_at <= c.started_at
                    and n.offered @> jsonb_build_array(jsonb_build_object('ref', f.ref))
            )
    )

    select
        c.receipt_id, c.ref, min(c.rank), count(*), count(*) filter (where c.outcome = 'ok'), avg(c.duration_ms)::real
    from called as c
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
