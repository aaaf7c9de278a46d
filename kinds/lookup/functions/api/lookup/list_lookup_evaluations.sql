create or replace function api.list_lookup_evaluations(lookup text default null, maximum integer default 20)
returns table (
    name text,
    at timestamptz,
    version bigint,
    profile text,
    pairs integer,
    recall_1 real,
    recall_5 real,
    mrr real,
    ndcg real,
    silence real,
    recall_5_change real,
    mrr_change real,
    duration_ms real
)
language sql
stable parallel safe security definer
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
'Lists measurements of lookup tables, newest first. A measurement looks up strings for which the correct rows are '
'known (gold pairs). Arguments: lookup: name of a lookup table (null: all lookup tables); maximum: maximum number of '
'measurements. Returns for each measurement: the name and the version of the lookup table; the time; the name of the '
'set of learned weights that was used; the number of gold pairs; Recall@1, Recall@5, MRR and nDCG for the first 10 '
'rows; of the strings that have no correct row, the share for which the table rightly returned no row; the change in '
'Recall@5 and MRR since the previous measurement; and the duration in milliseconds. Can be null: recall_1, recall_5, '
'mrr, ndcg, silence, recall_5_change, mrr_change.';
alter function api.list_lookup_evaluations owner to qm_reader;
grant execute on function api.list_lookup_evaluations to qm_operator;
