-- selection.receipt_calls: a call belongs to the receipt that it names. If a call names no receipt, it belongs to the
-- newest earlier receipt of the same principal that offered the card, if the call began in the time that the setting
-- feedback.window says. Few calls name a receipt: clients call a tool by its name.
-- The calls of each day are in a partition of their own, so the query names the earliest time: the clock of the process
-- that calls may be slow. Without "offset 0", the planner, which does not know that there are few receipts, would read
-- all calls.
create or replace function selection.receipt_calls(p_receipts bigint[])
returns table (
    receipt_id bigint, kind text, ref bigint, rank integer, started_at timestamptz, outcome text, duration_ms real,
    failure text
)
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    with offer as materialized (
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
        where r.id = any(p_receipts) and o.offer ? 'ref'
    )

    select r.id, c.kind, c.ref, f.rank, c.started_at, c.outcome, c.duration_ms, c.failure
    from selection.receipt as r
    cross join lateral (
        select x.kind, x.ref, x.started_at, x.outcome, x.duration_ms, x.failure
        from calls.call as x
        where x.receipt_id = r.id and x.kind = r.kind and x.started_at >= r.created_at - interval '10 minutes'
        offset 0
    ) as c
    left join offer as f on f.receipt_id = r.id and f.ref = c.ref
    where r.id = any(p_receipts)
    union all
    select f.receipt_id, f.kind, f.ref, f.rank, c.started_at, c.outcome, c.duration_ms, c.failure
    from offer as f
    cross join (select (core.get_setting('feedback.window') #>> '{}')::interval as length) as w
    cross join lateral (
        select x.started_at, x.outcome, x.duration_ms, x.failure
        from calls.call as x
        where x.principal_id = f.principal_id
            and x.kind = f.kind
            and x.ref = f.ref
            and x.started_at between f.created_at and f.created_at + w.length
            and x.receipt_id is null
        offset 0
    ) as c
    where not exists (
        select
        from selection.receipt as n
        where n.principal_id = f.principal_id
            and n.kind = f.kind
            and n.created_at > f.created_at
            and n.created_at <= c.started_at
            and n.offered @> jsonb_build_array(jsonb_build_object('ref', f.ref))
        offset 0
    );
$function$;
comment on function selection.receipt_calls(bigint[]) is
'Lists the calls that followed searches. Argument p_receipts: ids of the receipts (records) of the searches. Returns '
'for each call that the caller may see: the receipt; the kind and the id of the called card; its rank in the result of '
'the search (null: the search did not return the card, or its kind has no outcomes); the start; the outcome; the '
'duration in milliseconds; and the text of the error.';
grant execute on function selection.receipt_calls to qm_reader;
