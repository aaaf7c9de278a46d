-- lookup.evaluate: the strings are looked up without a threshold, because the measures judge the whole list of
-- candidates. Only the measure "silence" (no row is returned where none is correct) uses the threshold of the table.
-- nDCG follows Jarvelin and Kekalainen (TOIS 2002), with relevance 0 or 1, over the first 10 rows.
-- Writes: lookup.evaluation.
create or replace function lookup.evaluate(p_table_id integer, p_most integer)
returns lookup.evaluation
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_started constant timestamptz := clock_timestamp();
    v_evaluation lookup.evaluation;
begin
    insert into lookup.evaluation (
        table_id, at, version, profile, pairs, recall_1, recall_5, mrr, ndcg, silence, duration_ms
    )
    with answered as materialized (
        select
            g.id,
            cardinality(g.expected) as expected,
            coalesce(max(a.score), 0) as best,
            min(a.rank) filter (where a.id = any(g.expected)) as first_right,
            coalesce(sum(1 / log(2, (a.rank + 1)::numeric)) filter (where a.id = any(g.expected)), 0) as gain,
            (
                select sum(1 / log(2, (i.rank + 1)::numeric))
                from generate_series(1, least(cardinality(g.expected), 10)) as i (rank)
            ) as ideal
        from (
            -- Every run uses the same gold pairs, so that results differ only if the table or the weights have changed.
            select x.*
            from lookup.gold as x
            where x.table_id = p_table_id
            order by sha256(convert_to(x.query, 'UTF8')), x.id
            limit p_most
        ) as g
        left join lateral lookup.answer(
            p_table_id, g.query, 10, p_properties => g.properties, p_threshold => 0
        ) as a on true
        group by g.id, g.expected
    )

    select
        p_table_id,
        core.now(),
        t.version,
        (lookup.profiles_of(t.name))[1],
        count(a.id),
        avg((coalesce(a.first_right, 99) <= 1)::integer) filter (where a.expected > 0),
        avg((coalesce(a.first_right, 99) <= 5)::integer) filter (where a.expected > 0),
        avg(coalesce(1.0 / a.first_right, 0)) filter (where a.expected > 0),
        avg(a.gain / a.ideal) filter (where a.expected > 0),
        avg((a.best < t.threshold)::integer) filter (where a.expected = 0),
        extract(epoch from clock_timestamp() - v_started) * 1000
    from lookup.lookup_table as t
    left join answered as a on true
    where t.id = p_table_id
    group by t.version, t.name
    returning * into v_evaluation;
    return v_evaluation;
end
$function$;
comment on function lookup.evaluate(integer, integer) is
'Searches a lookup table for strings whose correct rows are known (gold pairs), and stores how good the answers are. '
'Arguments: p_table_id: id of the lookup table; p_most: maximum number of gold pairs. Returns the stored evaluation.';
