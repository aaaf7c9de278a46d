-- api.list_selection_statistics: users see their own selections, and operators see all selections; only administrators
-- see who made the selections.
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
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_since constant timestamptz := coalesce(list_selection_statistics.since, core.now() - interval '7 days');
    v_until constant timestamptz := coalesce(list_selection_statistics.until, 'infinity');
begin
    perform policy.require_principal();
    perform stats.require_listing(list_selection_statistics.subject, '{mode,principal}', list_selection_statistics.per);
    return query
    with counted as materialized (
        select
            case list_selection_statistics.subject when 'mode' then h.mode else p.name end as subject,
            stats.period_of(h.hour, list_selection_statistics.per) as period,
            h.*
        from stats.selection_hour as h
        left join policy.principal as p on p.id = h.principal_id
        where h.hour >= date_bin('1 hour', v_since, '2000-01-01 00:00+00')
            and h.hour < v_until
            and (list_selection_statistics.subject <> 'principal' or p.name is not null)
    )

    select
        c.subject,
        c.period,
        sum(c.selections),
        sum(c.empty),
        sum(c.offered),
        sum(c.tokens_sent)::bigint,
        sum(c.tokens_full)::bigint,
        (1 - sum(c.tokens_sent)::double precision / nullif(sum(c.tokens_full), 0))::real,
        stats.quantile(array_agg(c.durations), 0.5)::real,
        stats.quantile(array_agg(c.durations), 0.95)::real
    from counted as c
    group by c.subject, c.period
    order by c.period desc nulls last, 3 desc, c.subject;
end
$function$;
comment on function api.list_selection_statistics(text, timestamptz, timestamptz, text) is
'Summarises searches (selections), and the tokens that the searches saved, by mode or principal. Arguments: subject: '
'what to group by (mode or principal); since: start of the period (default: a week ago); until: end of the period; '
'per: hour or day, to summarise each hour or day in UTC (null: the whole period). Returns for each group: the number '
'of searches; the number of searches that offered no card; the number of offered cards; the estimated number of tokens '
'in the definitions of the offered cards; the estimated number of tokens in the full lists that agents would have read '
'instead; the share of tokens saved (0 to 1); and the median and the 95th percentile of the duration in milliseconds '
'(exact within 2 %). Raises QM422 argument_invalid. Can be null: period, spared, p50_ms, p95_ms.';
alter function api.list_selection_statistics owner to qm_reader;
grant execute on function api.list_selection_statistics to qm_user;
