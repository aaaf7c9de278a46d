-- Definer: operators see only their own rows of selection.receipt. From the other rows, they get only statistics of
-- lookup tables that they may see, without queries and names of principals.
create or replace function api.list_lookup_statistics(
    since timestamptz default null, until timestamptz default null, per text default null
)
returns table (
    name text,
    period timestamptz,
    queries bigint,
    p50_ms double precision,
    p95_ms double precision,
    cached real,
    empty real,
    matched real,
    failed real
)
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_since constant timestamptz := coalesce(list_lookup_statistics.since, core.now() - interval '7 days');
begin
    perform policy.require_principal();
    perform stats.require_listing('table', '{table}', list_lookup_statistics.per);
    return query
    select
        t.name,
        date_bin(('1 ' || list_lookup_statistics.per)::interval, r.created_at, '2000-01-01 00:00+00') as period,
        count(*),
        percentile_cont(0.5) within group (order by r.duration_ms),
        percentile_cont(0.95) within group (order by r.duration_ms),
        avg((r.stages ->> 'cached')::boolean::integer)::real,
        avg((r.offered = '[]')::integer)::real,
        avg((r.detail ->> 'match')::boolean::integer)::real,
        avg((r.detail ? 'error')::integer)::real
    from selection.receipt as r
    left join lookup.lookup_table as t on t.name = r.origin
    left join search.card as c on c.kind = 'lookup_table' and c.ref = t.id
    where r.kind = 'lookup'
        and r.goal_hash is not null
        and r.created_at >= v_since
        and r.created_at < coalesce(list_lookup_statistics.until, 'infinity')
        and (r.origin is null or policy.is_visible(c.rights_class, (select policy.visible_classes())))
    group by 1, 2
    order by 2 desc nulls last, 3 desc, 1;
end
$function$;
comment on function api.list_lookup_statistics(timestamptz, timestamptz, text) is
'Summarises the queries that the service sent to each lookup table, and the outcomes of these queries. Arguments: '
'since: start of the period (default: a week ago); until: end of the period; per: hour or day, to summarise each hour '
'or day in UTC (null: the whole period). Returns for each lookup table (null: all tables were searched, and no table '
'had a row): the number of queries; the median and the 95th percentile of the duration of a query in milliseconds; and '
'four shares of queries (0 to 1): queries that were answered from the cache, that found nothing, that had a match, and '
'that were refused. The duration of a batch is divided evenly among the queries in the batch. Raises QM422 '
'argument_invalid. Can be null: name, period.';
grant execute on function api.list_lookup_statistics to qm_operator;
