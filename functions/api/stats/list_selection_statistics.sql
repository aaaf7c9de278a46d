-- api.list_selection_statistics: summarises selections, and the tokens that they saved, by mode or principal, in total
-- or for each hour or day.
-- Users see their own selections, operators see all of them; only administrators see who made them.
-- Raises: QM422 argument_invalid.
create or replace function api.list_selection_statistics(
    subject text default 'mode', since timestamptz default null, until timestamptz default null, per text default null
)
returns table (
    name text,
    period timestamptz,
    selections bigint,
    empty bigint,
    offered bigint,
    tokens_sent bigint,
    tokens_full bigint,
    spared real,
    p50_ms real,
    p95_ms real
)
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_since constant timestamptz := coalesce(list_selection_statistics.since, core.now() - interval '7 days');
    v_until constant timestamptz := coalesce(list_selection_statistics.until, 'infinity');
begin
    perform policy.require_principal();
    perform stats.require_listing(list_selection_statistics.subject, '{mode,principal}', list_selection_statistics.per);
    return query
    with counted as materialized (
        select
            case list_selection_statistics.subject when 'mode' then h.mode else p.name end as name,
            stats.period_of(h.hour, list_selection_statistics.per) as period,
            h.*
        from stats.selection_hour as h
        left join policy.principal as p on p.id = h.principal_id
        where h.hour >= date_bin('1 hour', v_since, '2000-01-01 00:00+00') and h.hour < v_until
            and (list_selection_statistics.subject <> 'principal' or p.name is not null)
    ),

    bucket as (
        select c.name, c.period, array_agg(d.bucket::integer) as buckets, array_agg(d.selections::bigint) as selections
        from counted as c
        cross join jsonb_each_text(c.durations) as d (bucket, selections)
        group by c.name, c.period
    ),

    summed as (
        select
            c.name,
            c.period,
            sum(c.selections) as selections,
            sum(c.empty) as empty,
            sum(c.offered) as offered,
            sum(c.tokens_sent)::bigint as tokens_sent,
            sum(c.tokens_full)::bigint as tokens_full
        from counted as c
        group by c.name, c.period
    )

    select
        s.name,
        s.period,
        s.selections,
        s.empty,
        s.offered,
        s.tokens_sent,
        s.tokens_full,
        (1 - s.tokens_sent::double precision / nullif(s.tokens_full, 0))::real,
        stats.quantile(b.buckets, b.selections, 0.5)::real,
        stats.quantile(b.buckets, b.selections, 0.95)::real
    from summed as s
    inner join bucket as b on b.name = s.name and b.period is not distinct from s.period
    order by s.period desc nulls last, s.selections desc, s.name;
end
$function$;
comment on function api.list_selection_statistics(text, timestamptz, timestamptz, text) is
'Arguments: subject (mode, principal); since (default: a week ago); until; per (hour or day in UTC, null for '
'totals). Returns selections of tools; how many of them offered nothing; tools offered; estimated tokens of their '
'definitions, and of the full tool lists that they replaced; share saved (0 to 1); median and 95th percentile of the '
'duration in milliseconds (within 2 %).';
grant execute on function api.list_selection_statistics to qm_user;
