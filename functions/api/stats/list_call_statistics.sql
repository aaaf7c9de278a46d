-- api.list_call_statistics: summarises calls by tool, origin or principal, in total or for each hour or day.
-- It reads stats.call_hour, so calls of the last minutes may be missing. Users see their own calls, operators see all
-- of them; only administrators see who made them.
-- Raises: QM422 argument_invalid.
create or replace function api.list_call_statistics(
    subject text default 'tool', since timestamptz default null, until timestamptz default null, per text default null
)
returns table (
    name text,
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
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_since constant timestamptz := coalesce(list_call_statistics.since, core.now() - interval '7 days');
    v_until constant timestamptz := coalesce(list_call_statistics.until, 'infinity');
begin
    perform policy.require_principal();
    perform stats.require_listing(list_call_statistics.subject, '{tool,origin,principal}', list_call_statistics.per);
    return query
    with counted as materialized (
        select
            case list_call_statistics.subject when 'tool' then i.public_name when 'origin' then o.name else p.name end as name,
            stats.period_of(h.hour, list_call_statistics.per) as period,
            h.*
        from stats.call_hour as h
        inner join catalog.item as i on i.id = h.tool_id
        inner join catalog.origin as o on o.id = i.origin_id
        left join policy.principal as p on p.id = h.principal_id
        where h.hour >= date_bin('1 hour', v_since, '2000-01-01 00:00+00') and h.hour < v_until
            and (list_call_statistics.subject <> 'principal' or p.name is not null)
    ),

    bucket as (
        select c.name, c.period, array_agg(d.bucket::integer) as buckets, array_agg(d.calls::bigint) as calls
        from counted as c
        cross join jsonb_each_text(c.durations) as d (bucket, calls)
        group by c.name, c.period
    ),

    outcome as (
        select x.name, x.period, jsonb_object_agg(x.outcome, x.calls) as outcomes
        from (select c.name, c.period, c.outcome, sum(c.calls) as calls from counted as c group by c.name, c.period, c.outcome) as x
        group by x.name, x.period
    ),

    summed as (
        select
            c.name,
            c.period,
            sum(c.calls) as calls,
            coalesce(sum(c.calls) filter (where c.outcome = 'ok'), 0) as successes,
            sum(c.duration_ms) as duration_ms,
            sum(c.argument_bytes) as argument_bytes,
            sum(c.result_bytes) as result_bytes,
            max(c.largest_bytes) as largest_bytes
        from counted as c
        group by c.name, c.period
    )

    select
        s.name,
        s.period,
        s.calls,
        (s.successes::real / s.calls)::real,
        stats.quantile(b.buckets, b.calls, 0.5)::real,
        stats.quantile(b.buckets, b.calls, 0.95)::real,
        (s.duration_ms / s.calls)::real,
        s.argument_bytes::bigint,
        s.result_bytes::bigint,
        s.largest_bytes,
        o.outcomes
    from summed as s
    inner join bucket as b on b.name = s.name and b.period is not distinct from s.period
    inner join outcome as o on o.name = s.name and o.period is not distinct from s.period
    order by s.period desc nulls last, s.calls desc, s.name;
end
$function$;
comment on function api.list_call_statistics(text, timestamptz, timestamptz, text) is
'Arguments: subject (tool, origin, principal); since (default: a week ago); until; per (hour or day in UTC, null for '
'totals). Returns calls; share that succeeded (0 to 1); median, 95th percentile (both within 2 %) and mean of the '
'duration in milliseconds; bytes of arguments and results, and of the largest result; calls by outcome. Probes do '
'not count.';
grant execute on function api.list_call_statistics to qm_user;
