-- api.compare_evaluations: the differences are computed query by query (paired), so differences in the difficulty of
-- queries have no effect.
create or replace function api.compare_evaluations(
    evaluation_a bigint,
    evaluation_b bigint,
    resamples integer default 1000,
    confidence double precision default 0.95
)
returns table (
    metric text,
    queries integer,
    value_a double precision,
    value_b double precision,
    difference double precision,
    low double precision,
    high double precision
)
language plpgsql
stable parallel safe security definer
rows 10
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id bigint;
begin
    perform policy.require_principal();
    foreach v_id in array array[compare_evaluations.evaluation_a, compare_evaluations.evaluation_b] loop
        perform from stats.evaluation as e where e.id = v_id;
        if not found then
            perform core.fail(
                'evaluation_not_found', format('there is no evaluation with the id %s', coalesce(v_id::text, 'null'))
            );
        end if;
    end loop;
    return query
    select p.metric, p.queries, p.value_a, p.value_b, p.value_b - p.value_a, i.low, i.high
    from (
        select
            m.key as metric,
            count(*)::integer as queries,
            avg(m.value::double precision) as value_a,
            avg((b.metrics ->> m.key)::double precision) as value_b,
            array_agg(
                (b.metrics ->> m.key)::double precision - m.value::double precision order by a.query
            ) as differences
        from stats.evaluation_query as a
        inner join stats.evaluation_query as b
            on b.evaluation_id = compare_evaluations.evaluation_b and b.query = a.query
        cross join lateral jsonb_each_text(a.metrics) as m
        where a.evaluation_id = compare_evaluations.evaluation_a
            and m.value is not null
            and b.metrics ->> m.key is not null
        group by m.key
    ) as p
    cross join lateral stats.bootstrap_interval(
        p.differences, compare_evaluations.resamples, compare_evaluations.confidence
    ) as i
    order by p.metric collate core.c_utf8;
    if not found then
        perform core.fail(
            'evaluations_unlike',
            format(
                'evaluations %s and %s have no query in common',
                compare_evaluations.evaluation_a,
                compare_evaluations.evaluation_b
            )
        );
    end if;
end
$function$;
comment on function api.compare_evaluations(bigint, bigint, integer, double precision) is
'Compares two evaluations over the queries that both evaluations contain. Arguments: evaluation_a: id of the first '
'evaluation; evaluation_b: id of the second evaluation; resamples: number of bootstrap resamples; confidence: '
'confidence level of the interval (0 to 1). Returns for each metric: the mean of each evaluation, the difference '
'(second minus first), and the confidence interval of this difference. If the interval excludes 0, the difference is '
'unlikely to be due to chance. Raises QM404 evaluation_not_found, QM422 evaluations_unlike, argument_invalid.';
alter function api.compare_evaluations owner to qm_reader;
grant execute on function api.compare_evaluations to qm_operator;
