-- stats.bootstrap_interval: the interval is a percentile bootstrap (Efron and Tibshirani, An Introduction to the
-- Bootstrap, 1993, chapter 13; for differences in retrieval: Sakai, SIGIR 2006). The random draws are computed from a
-- hash of the seed, the number of the resample and the position, so the same arguments give the same interval on every
-- server.
create or replace function stats.bootstrap_interval(
    p_values double precision[],
    p_resamples integer default 1000,
    p_confidence double precision default 0.95,
    p_seed bigint default 1
)
returns table (mean double precision, low double precision, high double precision)
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_count constant bigint := coalesce(cardinality(p_values), 0);
begin
    if v_count = 0 or array_position(p_values, null) is not null then
        perform core.fail(
            'argument_invalid',
            'values must contain at least one number and must not contain null',
            null,
            'Omit the queries that have no measurement.'
        );
    end if;
    if p_resamples not between 100 and 100000 or p_confidence <= 0 or p_confidence >= 1 then
        perform core.fail(
            'argument_invalid',
            format('resamples or confidence is out of range: got %s and %s', p_resamples, p_confidence),
            null,
            'Ask for 100 to 100000 resamples, and a confidence between 0 and 1.'
        );
    end if;
    return query
    select
        (select avg(v.value) from unnest(p_values) as v (value)),
        percentile_cont((1 - p_confidence) / 2) within group (order by m.mean),
        percentile_cont((1 + p_confidence) / 2) within group (order by m.mean)
    from (
        select avg(
            p_values[
                1 + ((hashint8extended(r.number * v_count + i.number, p_seed) & 9223372036854775807) % v_count)::integer
            ]
        ) as mean
        from generate_series(1, p_resamples) as r (number)
        cross join generate_series(0, v_count - 1) as i (number)
        group by r.number
    ) as m;
end
$function$;
comment on function stats.bootstrap_interval(double precision[], integer, double precision, bigint) is
'Computes the mean of some values, and the bootstrap interval of this mean. Arguments: p_values: the values, such as '
'one difference for each query; p_resamples: number of resamples (100 to 100000); p_confidence: confidence level, '
'between 0 and 1; p_seed: random seed. Returns the mean and the two ends of the interval. The same arguments give the '
'same result. Raises QM422 argument_invalid.';
grant execute on function stats.bootstrap_interval to qm_reader;
