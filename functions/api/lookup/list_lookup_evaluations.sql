-- api.list_lookup_evaluations: lists the results of lookup tables on their gold pairs, newest run first, each with the
-- change since the run before.
create or replace function api.list_lookup_evaluations(lookup text default null, maximum integer default 20)
returns table (
    name text, at timestamptz, version bigint, profile text, pairs integer, recall_1 real, recall_5 real, mrr real, ndcg real, silence real,
    recall_5_change real, mrr_change real, duration_ms real
)
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select
        t.name,
        e.at,
        e.version,
        e.profile,
        e.pairs,
        e.recall_1,
        e.recall_5,
        e.mrr,
        e.ndcg,
        e.silence,
        e.recall_5 - lag(e.recall_5) over run,
        e.mrr - lag(e.mrr) over run,
        e.duration_ms
    from lookup.evaluation as e
    inner join lookup.lookup_table as t on t.id = e.table_id
    where list_lookup_evaluations.lookup is null or t.name = list_lookup_evaluations.lookup
    window run as (partition by e.table_id order by e.at, e.id)
    order by e.at desc, t.name, e.id desc
    limit greatest(list_lookup_evaluations.maximum, 0);
$function$;
comment on function api.list_lookup_evaluations(text, integer) is
'Arguments: lookup table, or null for all; maximum number of runs. Returns table, when, its version, whose weights, '
'number of gold pairs, Recall@1, Recall@5, MRR and nDCG of the first 10, share of unanswerable queries without an '
'answer, change of Recall@5 and MRR since the run before, milliseconds.';
grant execute on function api.list_lookup_evaluations to qm_operator;
