-- Writes: stats.evaluation, stats.evaluation_query.
create or replace function api.store_evaluation(
    label text,
    mode text,
    split text,
    files jsonb,
    tools integer,
    catalog_hash bytea,
    model text,
    reranker text,
    settings jsonb,
    metrics jsonb,
    latency_ms jsonb,
    stages jsonb,
    queries jsonb
)
returns bigint
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
    v_evaluation_id bigint;
begin
    if jsonb_typeof(store_evaluation.queries) is distinct from 'array' or store_evaluation.queries = '[]' then
        perform core.fail('evaluation_invalid', 'queries must be a JSON array with one object for each query');
    end if;
    insert into stats.evaluation (
        created_at, principal_id, label, mode, split, version, files, tools, catalog_hash,
        model, reranker, settings, queries, metrics, latency_ms, stages
    )
    values (
        core.now(),
        v_principal_id,
        store_evaluation.label,
        store_evaluation.mode,
        store_evaluation.split,
        core.schema_version(),
        store_evaluation.files,
        store_evaluation.tools,
        store_evaluation.catalog_hash,
        store_evaluation.model,
        store_evaluation.reranker,
        store_evaluation.settings,
        jsonb_array_length(store_evaluation.queries),
        store_evaluation.metrics,
        store_evaluation.latency_ms,
        store_evaluation.stages
    )
    returning id into v_evaluation_id;

    insert into stats.evaluation_query (evaluation_id, query, metrics)
    select v_evaluation_id, q.measured ->> 'query', q.measured -> 'metrics'
    from jsonb_array_elements(store_evaluation.queries) as q (measured);
    return v_evaluation_id;
exception
    when not_null_violation or check_violation or unique_violation then
        perform core.fail('evaluation_invalid', format('the evaluation cannot be stored: %s', sqlerrm));
        return null;
end
$function$;
comment on function api.store_evaluation is
'Stores an evaluation. Arguments: label: label of the evaluation; mode: search mode; split: name of the split that was '
'evaluated (null: no split); files: JSON array of the evaluated files, each {name, sha256}; tools: number of tools in '
'the catalog; catalog_hash: SHA-256 of the catalog; model: name of the embedding model; reranker: name of the reranker '
'(null: no reranker); settings: settings of the mode; metrics, latency_ms and stages: JSON objects, in the form that '
'qm eval run prints; queries: JSON array of {query, metrics}, with one element for each query. Returns the id of the '
'evaluation. Raises QM422 evaluation_invalid.';
grant execute on function api.store_evaluation to qm_operator;
