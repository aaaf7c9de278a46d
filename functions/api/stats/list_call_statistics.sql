-- api.list_call_statistics: the most recent calls may be missing, because the function reads stats.call_hour. Users see
-- their own calls, and operators see all calls; only administrators see who made the calls. The statistics still show
-- the name of an item whose card was deleted. Calls of cards that the caller may not see now are not counted.
create or replace function api.list_call_statistics(
    subject text default 'card',
    since timestamptz default null,
    until timestamptz default null,
    per text default null,
    kinds text[] default null
)
returns table (
    name text,
    kind text,
    period timestamptz,
    calls bigint,
    success_rate real,
    p50_ms real,
    p95_ms real,
    mean_ms real,
    argument_bytes bigint,
    result_bytes bigint,
    largest_bytes bigint,
    outcomes jsonb
)
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_since constant timestamptz := coalesce(list_call_statistics.since, core.now() - interval '7 days');
    v_until constant timestamptz := coalesce(list_call_statistics.until, 'infinity');
begin
    perform policy.require_principal();
    perform stats.require_listing(list_call_statistics.subject, '{card,origin,principal}', list_call_statistics.per);
    return query
    with counted as materialized (
        select
            case list_call_statistics.subject
                when 'card' then coalesce(i.public_name, c.name)
                when 'origin' then coalesce(o.name, c.origin)
                else p.name
            end as subject,
            case list_call_statistics.subject when 'card' then h.kind end as of_kind,
            stats.period_of(h.hour, list_call_statistics.per) as period,
            h.*
        from stats.call_hour as h
        left join catalog.item as i on i.kind = h.kind and i.id = h.ref
        left join catalog.origin as o on o.id = i.origin_id
        left join search.card as c on c.kind = h.kind and c.ref = h.ref
        left join policy.principal as p on p.id = h.principal_id
        where h.hour >= date_bin('1 hour', v_since, '2000-01-01 00:00+00')
            and h.hour < v_until
            and (list_call_statistics.kinds is null or h.kind = any(list_call_statistics.kinds))
            and coalesce(i.id, c.id) is not null
            and (list_call_statistics.subject <> 'principal' or p.name is not null)
    )

    select
        c.subject,
        c.of_kind,
        c.period,
        sum(c.calls),
        (coalesce(sum(c.calls) filter (where c.outcome = 'ok'), 0)::real / sum(c.calls))::real,
        stats.quantile(array_agg(c.durations), 0.5)::real,
        stats.quantile(array_agg(c.durations), 0.95)::real,
        (sum(c.duration_ms) / sum(c.calls))::real,
        sum(c.argument_bytes)::bigint,
        sum(c.result_bytes)::bigint,
        max(c.largest_bytes),
        (
            select jsonb_object_agg(u.outcome, u.calls)
            from (
                select w.outcome, sum(w.calls) as calls
                from unnest(array_agg(c.outcome), array_agg(c.calls)) as w (outcome, calls)
                group by w.outcome
            ) as u
        )
    from counted as c
    group by c.subject, c.of_kind, c.period
    order by c.period desc nulls last, 4 desc, c.subject, c.of_kind;
end
$function$;
comment on function api.list_call_statistics(text, timestamptz, timestamptz, text, text[]) is
'Summarises calls and reported uses by card, origin or principal. Example: `select name, calls, success_rate, p95_ms '
'from list_call_statistics();` Arguments: subject: what to group by (card, origin or principal); since: start of the '
'period (default: a week ago); until: end of the period; per: hour or day, to summarise each hour or day in UTC (null: '
'the whole period); kinds: kinds of card (null: all kinds). Returns for each group: the kind of card (only for subject '
'card); the number of calls; the share of calls that succeeded (0 to 1); the median, the 95th percentile and the mean '
'of the duration in milliseconds (the first two are exact within 2 %); the total size of the arguments, the total size '
'of the results, and the size of the largest result, all in bytes; and the number of calls by outcome. Probes (test '
'calls) are not counted. Raises QM422 argument_invalid. Can be null: success_rate, p50_ms, p95_ms, mean_ms, '
'result_bytes, largest_bytes, kind, period.';
alter function api.list_call_statistics owner to qm_reader;
grant execute on function api.list_call_statistics to qm_user;
