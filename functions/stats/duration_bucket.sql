-- stats.duration_bucket: each bucket is 1.02 / 0.98 times as wide as the one before, so an estimate from a bucket has
-- an error of at most 2 %.
-- The bucket is ceil(log(ms) / log(1.02 / 0.98)); all durations below 0.01 ms share one bucket.
-- Source: Masson, Rim and Lee, DDSketch (VLDB 2019).
create or replace function stats.duration_bucket(p_ms double precision)
returns integer
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select ceil(ln(greatest(coalesce(p_ms, 0), 0.01)) / ln(1.02::float8 / 0.98::float8))::integer;
$function$;
comment on function stats.duration_bucket(double precision) is
'Returns the number of the histogram bucket to which a duration belongs. Argument p_ms: duration in milliseconds '
'(null: 0). Quantiles that are computed from these buckets have an error of at most 2 %.';
