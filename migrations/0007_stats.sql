-- Measurements: the results of evaluations for each query, and counts of calls and selections for each hour.

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
alter table stats.evaluation enable row level security, force row level security;
comment on table stats.evaluation is
'Runs of qm eval: who ran them and when; the files, catalog, mode, models and settings; and the results.';
comment on column stats.evaluation.files is 'Array of {name, sha256}: the files of tools and queries.';
comment on column stats.evaluation.catalog_hash is
'SHA-256 of the stored tools, in the order in which their file lists them.';
comment on column stats.evaluation.settings is 'The row of selection.mode at the time of the evaluation.';
create index evaluation_principal_idx on stats.evaluation (principal_id);

create table stats.evaluation_query (
    evaluation_id bigint not null references stats.evaluation on delete cascade,
    query text not null,
    metrics jsonb not null,
    primary key (evaluation_id, query)
);
alter table stats.evaluation_query enable row level security, force row level security;
comment on table stats.evaluation_query is 'Results of a run for each query, by the query''s id.';

create table stats.watermark (
    name text primary key check (name in ('calls', 'selections')),
    counted_to timestamptz not null,
    late bigint not null default 0
);
alter table stats.watermark enable row level security, force row level security;
comment on table stats.watermark is 'The time up to which each log has been counted.';
comment on column stats.watermark.late is 'Number of rows that arrived after their hour had been counted completely.';

create table stats.call_hour (
    hour timestamptz not null,
    kind text not null references search.kind,
    ref bigint not null,
    principal_id bigint not null references policy.principal,
    outcome text not null,
    calls integer not null check (calls > 0),
    duration_ms double precision not null,
    argument_bytes bigint not null,
    result_bytes bigint not null,
    largest_bytes bigint not null,
    durations jsonb not null,
    primary key (hour, kind, ref, principal_id, outcome)
);
alter table stats.call_hour enable row level security, force row level security;
comment on table stats.call_hour is
'Calls and reported outcomes of cards, by the hour in which they began, without probes. The function stats.count_calls '
'writes this table.';
comment on column stats.call_hour.duration_ms is
'Total duration of all calls, in milliseconds.';
comment on column stats.call_hour.durations is 'Number of calls by stats.duration_bucket: {bucket: calls}.';
create index call_hour_kind_idx on stats.call_hour (kind);
create index call_hour_ref_idx on stats.call_hour (ref, hour);
create index call_hour_principal_idx on stats.call_hour (principal_id, hour);

create table stats.selection_hour (
    hour timestamptz not null,
    kind text not null references search.kind,
    principal_id bigint not null references policy.principal,
    mode text not null,
    selections integer not null check (selections > 0),
    empty integer not null,
    offered integer not null,
    tokens_sent bigint not null,
    tokens_full bigint not null,
    duration_ms double precision not null,
    durations jsonb not null,
    primary key (hour, kind, principal_id, mode)
);
alter table stats.selection_hour enable row level security, force row level security;
comment on table stats.selection_hour is
'Number of selections for each hour, for kinds of card that have outcomes. The function selection.count_selections '
'writes this table.';
comment on column stats.selection_hour.empty is 'Number of selections that offered nothing.';
comment on column stats.selection_hour.tokens_sent is 'Estimated tokens of the definitions that were offered.';
comment on column stats.selection_hour.tokens_full is
'Number of tokens that full lists would have taken. A full list contains every card of this kind that the principal '
'may see. The tokens of the list are counted once for each selection, with the cards that exist when the hour is '
'counted.';
create index selection_hour_principal_idx on stats.selection_hour (principal_id, hour);
create index selection_hour_kind_idx on stats.selection_hour (kind);
