-- Modes, receipts, and what a session has been offered.
create table selection.mode (
    name text primary key check (name ~ '^[a-z][a-z_]*$'),
    lexical integer not null check (lexical between 0 and 1000),
    dense integer not null check (dense between 0 and 1000),
    fuzzy integer not null check (fuzzy between 0 and 1000),
    rerank integer not null check (rerank between 0 and 1000),
    top integer not null check (top between 1 and 100),
    ef_search integer not null check (ef_search between 1 and 1000),
    lambda real not null check (lambda between 0 and 1),
    weight_lexical real not null check (weight_lexical >= 0),
    weight_dense real not null check (weight_dense >= 0),
    weight_fuzzy real not null check (weight_fuzzy >= 0)
);
comment on table selection.mode is 'How hard to look: candidates per channel, rerank depth, tools exposed, fusion weights. Written from the settings file.';

create table selection.receipt (
    id bigint generated always as identity primary key,
    created_at timestamptz not null default now(),
    principal_id bigint references policy.principal,
    session text,
    kind text not null,
    goal text not null,
    mode text not null,
    offered jsonb not null,
    duration_ms real not null
);
create index receipt_principal_idx on selection.receipt (principal_id, created_at desc);
comment on table selection.receipt is 'What was asked and what was offered, with every stage''s score; one row a selection.';
comment on column selection.receipt.offered is 'Array of {rank, name, score, scores}, best first.';

create table selection.exposure (
    session text not null check (length(session) between 1 and 200),
    principal_id bigint not null references policy.principal,
    tool_id bigint not null references catalog.tool,
    exposed_at timestamptz not null default now(),
    primary key (principal_id, session, tool_id)
);
create index exposure_tool_idx on selection.exposure (tool_id);
comment on table selection.exposure is 'Tools found by a session client''s searches and so part of its tools/list.';

alter table selection.mode enable row level security;
alter table selection.mode force row level security;
alter table selection.receipt enable row level security;
alter table selection.receipt force row level security;
alter table selection.exposure enable row level security;
alter table selection.exposure force row level security;
