-- What is asked of lookup tables, and how it goes.
create table lookup.request (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    table_id integer references lookup.lookup_table on delete cascade,
    principal_id bigint not null references policy.principal,
    door text not null check (door in ('http', 'mcp')),
    request_id text,
    query_hash bytea not null,
    query text,
    k integer,
    profile text not null,
    rows integer not null check (rows >= 0),
    key text,
    score real,
    match boolean not null default false,
    error text,
    is_cached boolean not null,
    duration_ms real not null,
    shadow_profile text,
    shadow_key text,
    shadow_score real,
    shadow_match boolean,
    shadow_ms real,
    constraint request_shadowed_whole check ((shadow_profile is null) = (shadow_match is null))
);
create index request_table_idx on lookup.request (table_id, at);
create index request_principal_idx on lookup.request (principal_id, at);
create index request_at_idx on lookup.request using brin (at);
comment on table lookup.request is 'Every query to a lookup table that came through the service: when, whose, what it was answered, how long that took. Queries of psql are not here.';
comment on column lookup.request.table_id is 'Null: all tables were asked, and none had a row.';
comment on column lookup.request.query_hash is 'SHA-256 of the query in lower case, blanks collapsed: the same string has the same.';
comment on column lookup.request.query is 'The query itself; only where the setting lookup.keep_queries of the service says so.';
comment on column lookup.request.k is 'How many rows were asked for; null: the default.';
comment on column lookup.request.profile is 'Whose weights scored it: the name of the table, or default.';
comment on column lookup.request.rows is 'How many rows were answered.';
comment on column lookup.request.key is 'Id of the first row answered; its score, and whether it was a match, are beside it.';
comment on column lookup.request.duration_ms is 'Of the whole request that brought the query, which may be one of a batch.';
comment on column lookup.request.shadow_profile is 'Whose weights answered in the shadow, after the reply; null: none did.';

create table lookup.shadow (
    table_id integer primary key references lookup.lookup_table on delete cascade,
    share real not null check (share between 0 and 1),
    threshold real check (threshold between 0 and 1),
    candidates integer not null default 30 check (candidates between 1 and 100)
);
comment on table lookup.shadow is 'A second way to answer, tried on a share of the queries after they were answered: its weights are those of the profile shadow:TABLE, where there are some.';
comment on column lookup.shadow.share is 'Of the queries that the database answers, 0 to 1.';
comment on column lookup.shadow.threshold is 'Instead of that of the table; null: the same.';
comment on column lookup.shadow.candidates is 'By trigrams.';

create table lookup.gold (
    id bigint generated always as identity primary key,
    table_id integer not null references lookup.lookup_table on delete cascade,
    query text not null check (length(query) between 1 and 1000),
    expected text[] not null,
    properties jsonb check (jsonb_typeof(properties) = 'object'),
    unique nulls not distinct (table_id, query, properties)
);
comment on table lookup.gold is 'Strings of which it is known what they mean: what a lookup table is measured with.';
comment on column lookup.gold.expected is 'Ids of the rows that are right; empty where none is.';

create table lookup.evaluation (
    id bigint generated always as identity primary key,
    table_id integer not null references lookup.lookup_table on delete cascade,
    at timestamptz not null,
    version bigint not null,
    profile text not null,
    pairs integer not null,
    recall_1 real,
    recall_5 real,
    mrr real,
    ndcg real,
    silence real,
    duration_ms real not null
);
create index evaluation_table_idx on lookup.evaluation (table_id, at);
comment on table lookup.evaluation is 'How well a lookup table answered its gold pairs, run by run. Null: no pair says anything about it.';
comment on column lookup.evaluation.version is 'Of the table, when it was measured.';
comment on column lookup.evaluation.profile is 'Whose weights scored it: the name of the table, or default.';
comment on column lookup.evaluation.mrr is 'Mean of 1 / rank of the first right row among the first 10.';
comment on column lookup.evaluation.ndcg is 'Normalised discounted cumulative gain of the first 10.';
comment on column lookup.evaluation.silence is 'Share of the queries without a right row to which nothing was answered.';

alter table lookup.request enable row level security;
alter table lookup.request force row level security;
alter table lookup.shadow enable row level security;
alter table lookup.shadow force row level security;
alter table lookup.gold enable row level security;
alter table lookup.gold force row level security;
alter table lookup.evaluation enable row level security;
alter table lookup.evaluation force row level security;
