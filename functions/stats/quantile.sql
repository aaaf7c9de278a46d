-- stats.quantile: if several JSON objects contain the same bucket, its counts are added.
-- The estimate for bucket i is 2 g^i / (g + 1) with g = 1.02 / 0.98. Its error is at most 2 %.
create or replace function stats.quantile(p_durations jsonb[], p_share double precision)
returns double precision
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select 2 * power(1.02::float8 / 0.98::float8, c.bucket) / (1 + 1.02::float8 / 0.98::float8)
    from (
        select
            b.bucket::integer as bucket,
            sum(sum(b.calls::bigint)) over (order by b.bucket::integer) as calls_so_far,
            sum(sum(b.calls::bigint)) over () as calls
        from unnest(p_durations) as d (counted)
        cross join jsonb_each_text(d.counted) as b (bucket, calls)
        group by b.bucket::integer
    ) as c
    where c.calls_so_far >= p_share * c.calls
    order by c.bucket
    limit 1;
$function$;
comment on function stats.quantile(jsonb[], double precision) is
'Estimates a quantile of durations that were counted in histogram buckets (stats.duration_bucket). Arguments: '
'p_durations: JSON objects {bucket: number of calls}; p_share: the share of calls, such as 0.95 for the 95th '
'percentile. Returns the quantile in milliseconds. Returns null if there are no calls.';
grant execute on function stats.quantile to qm_reader;
