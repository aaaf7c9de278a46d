-- Evaluations: what a run of queries with known answers measured, whole and query by query, so that two runs can be compared.
create schema stats;

create table stats.evaluation (
    id bigint generated always as identity primary key,
    created_at timestamptz not null default now(),
    principal_id bigint not null references policy.principal,
    label text not null check (length(label) between 1 and 200),
    mode text not null,
    split text,
    version text not null,
    files jsonb not null,
    tools integer not null check (tools >= 0),
    catalog_hash bytea not null check (length(catalog_hash) = 32),
    model text not null,
    reranker text,
    settings jsonb not null,
    queries integer not null check (queries > 0),
    metrics jsonb not null,
    latency_ms jsonb not null,
    stages jsonb not null
);
create index evaluation_principal_idx on stats.evaluation (principal_id);
comment on table stats.evaluation is 'Runs of qm eval: who, when, over which files and catalog, with which mode, models and settings, and what was measured.';
comment on column stats.evaluation.files is 'Array of {name, sha256}: the files of tools and queries.';
comment on column stats.evaluation.catalog_hash is 'SHA-256 over the tools as they were stored, in the order of their file.';
comment on column stats.evaluation.settings is 'The row of selection.mode that was in force.';

create table stats.evaluation_query (
    evaluation_id bigint not null references stats.evaluation on delete cascade,
    query text not null,
    metrics jsonb not null,
    primary key (evaluation_id, query)
);
comment on table stats.evaluation_query is 'What a run measured for each query, by the query''s id.';

alter table stats.evaluation enable row level security;
alter table stats.evaluation force row level security;
alter table stats.evaluation_query enable row level security;
alter table stats.evaluation_query force row level security;
