create or replace function api.list_evaluations(maximum integer default 50)
returns table (
    id bigint,
    created_at timestamptz,
    principal text,
    label text,
    mode text,
    split text,
    version text,
    files jsonb,
    tools integer,
    catalog_hash text,
    model text,
    reranker text,
    settings jsonb,
    queries integer,
    metrics jsonb,
    latency_ms jsonb,
    stages jsonb
)
language sql
stable parallel safe security definer
rows 50
set search_path = pg_catalog, pg_temp
as $function$
    select
        e.id,
        e.created_at,
        p.name,
        e.label,
        e.mode,
        e.split,
        e.version,
        e.files,
        e.tools,
        encode(e.catalog_hash, 'hex'),
        e.model,
        e.reranker,
        e.settings,
        e.queries,
        e.metrics,
        e.latency_ms,
        e.stages
    from stats.evaluation as e
    left join policy.principal as p on p.id = e.principal_id
    order by e.id desc
    limit greatest(list_evaluations.maximum, 0);
$function$;
comment on function api.list_evaluations(integer) is
'Returns stored evaluations, newest first. Argument maximum: maximum number of rows to return. Can be null: '
'principal, reranker.';
alter function api.list_evaluations owner to qm_reader;
grant execute on function api.list_evaluations to qm_operator;
