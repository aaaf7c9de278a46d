-- Lookup tables, how their rows are scored, and what was asked of them.

create schema lookup;
comment on schema lookup is 'Lookup tables, their rows, and the matching of messy names to them.';

create type lookup.question as (
    table_id integer,
    text text,
    label text,
    short text,
    stem text,
    words text [],
    word_weights real [],
    words_most double precision,
    is_known boolean,
    repeats boolean,
    terms search.goal_terms,
    language text,
    facts text [],
    meaning ext.vector,
    model_id integer
);
comment on type lookup.question is
'A query to a lookup table, read once: its text as given, normalised, with the first word as its initial, and without what spellings of Latin differ in; its words, what each and what all weigh, and whether the first is known to the table, and whether one is said twice; its lexemes; language preferred; properties asked for; vector, and the model it is of.';
create type lookup.candidate as (
    card_id bigint,
    value text,
    label text,
    words text [],
    language text,
    evidence text,
    facts text [],
    is_alias boolean,
    short text,
    stem text,
    initials text,
    cosine double precision,
    query_share double precision,
    name_share double precision,
    semantic double precision
);
comment on type lookup.candidate is 'A name that a query may mean, beside its row, and how much of query and name the two share.';

create table lookup.lookup_table (
    id integer generated always as identity primary key,
    name text not null unique check (name ~ '^[A-Za-z][A-Za-z0-9_.-]{0,62}$'),
    description text not null default '',
    domain text not null default '',
    threshold real not null default 0.6 check (threshold between 0 and 1),
    at_precision real check (at_precision between 0 and 1),
    gap real not null default 0.1 check (gap between 0 and 1),
    properties text[] not null default '{}',
    rows integer not null default 0,
    names integer not null default 0,
    has_vectors boolean not null default false,
    version bigint not null default 0,
    created_at timestamptz not null,
    loaded_at timestamptz
);
alter table lookup.lookup_table enable row level security, force row level security;
comment on table lookup.lookup_table is 'What strings can be matched to: a named set of rows.';
comment on column lookup.lookup_table.threshold is 'Probability from which an answer is given and may be a match; learned at the stated precision, or 0.6.';
comment on column lookup.lookup_table.gap is 'How far the first answer must lie before the second to be a match.';
comment on column lookup.lookup_table.properties is 'Names of the properties that any row has.';
comment on column lookup.lookup_table.has_vectors is 'Whether names wait for a vector each, and those near in meaning are found.';
comment on column lookup.lookup_table.version is 'Counts changes of rows: what was found stays valid as long as it is the same.';

create table lookup.lookup_row (
    id bigint generated always as identity primary key,
    table_id integer not null references lookup.lookup_table on delete cascade,
    key text not null check (length(key) between 1 and 500),
    value text not null check (length(value) between 1 and 10000),
    aliases text[] not null default '{}',
    language text not null default '',
    active boolean not null default true,
    domain text not null default '',
    provenance jsonb not null default '{}' check (jsonb_typeof(provenance) = 'object'),
    properties jsonb not null default '{}' check (jsonb_typeof(properties) = 'object'),
    facts text[] not null default '{}',
    evidence text not null default '',
    given jsonb,
    content_hash bytea not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    unique (table_id, key)
);
alter table lookup.lookup_row enable row level security, force row level security;
comment on table lookup.lookup_row is 'A row of a lookup table.';
comment on column lookup.lookup_row.key is 'The id by which people know the row.';
comment on column lookup.lookup_row.facts is 'Properties as PROPERTY=value, lower case: what constraints are compared with.';
comment on column lookup.lookup_row.evidence is 'Words of the properties, normalised, each between spaces.';
comment on column lookup.lookup_row.given is 'Of a curated row: aliases, active and provenance as its source has them. Null where no curator has said anything.';
create index lookup_row_facts_idx on lookup.lookup_row using gin (facts) with (fastupdate = off);

create table lookup.lookup_name (
    id bigint generated always as identity primary key,
    row_id bigint not null references lookup.lookup_row on delete cascade,
    table_id integer not null references lookup.lookup_table on delete cascade,
    is_alias boolean not null,
    short text not null,
    stem text not null,
    second text,
    initials text
);
alter table lookup.lookup_name enable row level security, force row level security;
comment on table lookup.lookup_name is 'The names of a row, its value and each alias, with the keys under which short forms find them; the card has the name itself.';
comment on column lookup.lookup_name.short is 'The first word as its initial, then the others.';
comment on column lookup.lookup_name.stem is 'The name without what spellings of Latin differ in.';
comment on column lookup.lookup_name.second is 'Stem of the second word.';
comment on column lookup.lookup_name.initials is 'First letters of all words, where there are two or more.';
create index lookup_name_row_idx on lookup.lookup_name (row_id);
create index lookup_name_short_idx on lookup.lookup_name (table_id, short);
create index lookup_name_stem_idx on lookup.lookup_name (table_id, stem);
create index lookup_name_second_idx on lookup.lookup_name (table_id, second);
create index lookup_name_initials_idx on lookup.lookup_name (table_id, initials);

create table lookup.curation (
    id bigint generated always as identity primary key,
    table_id integer not null references lookup.lookup_table on delete cascade,
    key text not null,
    kind text not null check (kind in ('alias', 'retirement', 'provenance')),
    alias text not null default '' check ((alias <> '') = (kind = 'alias')),
    provenance jsonb not null default '{}' check (jsonb_typeof(provenance) = 'object'),
    name text not null,
    reason text not null default '',
    curator text not null,
    curated_at timestamptz not null,
    unique (table_id, key, kind, alias)
);
alter table lookup.curation enable row level security, force row level security;
comment on table lookup.curation is 'What curators have said of rows. It is kept apart from them, so that loading a table anew keeps it.';
comment on column lookup.curation.key is 'Id of the row. No reference: a row that its source leaves out and brings back is still curated.';
comment on column lookup.curation.name is 'TABLE/ID, by which the audit tells it.';
comment on column lookup.curation.curator is 'Who said it. No reference: it outlives the principal.';

-- In place: which columns of a table of the user's own are a lookup table. Nothing is ever written
-- there; what is granted to qm_owner can be read, and nothing else.
create table lookup.source (
    table_id integer primary key references lookup.lookup_table on delete cascade,
    relation text not null,
    id_column text not null,
    value_column text not null,
    alias_columns text[] not null default '{}',
    property_columns text[] not null default '{}',
    language_column text,
    active_column text,
    follows boolean not null,
    every interval not null check (every >= interval '1 minute'),
    refreshed_at timestamptz,
    failure text
);
alter table lookup.source enable row level security, force row level security;
comment on table lookup.source is 'The table of the user''s own that a lookup table lies over: its name and columns.';
comment on column lookup.source.relation is 'Schema and name, each quoted where it has to be.';
comment on column lookup.source.follows is 'Whether triggers there tell which rows have changed; else all are read again.';
comment on column lookup.source.every is 'How often all rows are read again where no trigger tells of changes.';
comment on column lookup.source.failure is 'Why the last refresh did not succeed; the rows are those of the one before. Null: it did.';

create table lookup.source_change (
    id bigint generated always as identity primary key,
    table_id integer not null references lookup.source on delete cascade,
    key text
);
alter table lookup.source_change enable row level security, force row level security;
comment on table lookup.source_change is 'Rows of the user''s own tables that have changed and are not read again yet.';
comment on column lookup.source_change.key is 'Id of the row; null: any row may have changed.';
create index source_change_table_idx on lookup.source_change (table_id);

create table lookup.shadow (
    table_id integer primary key references lookup.lookup_table on delete cascade,
    share real not null check (share between 0 and 1),
    threshold real check (threshold between 0 and 1),
    candidates integer not null default 30 check (candidates between 1 and 100)
);
alter table lookup.shadow enable row level security, force row level security;
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
alter table lookup.gold enable row level security, force row level security;
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
alter table lookup.evaluation enable row level security, force row level security;
comment on table lookup.evaluation is 'How well a lookup table answered its gold pairs, run by run. Null: no pair says anything about it.';
comment on column lookup.evaluation.version is 'Of the table, when it was measured.';
comment on column lookup.evaluation.profile is 'Whose weights scored it: the name of the table, or default.';
comment on column lookup.evaluation.mrr is 'Mean of 1 / rank of the first right row among the first 10.';
comment on column lookup.evaluation.ndcg is 'Normalised discounted cumulative gain of the first 10.';
comment on column lookup.evaluation.silence is 'Share of the queries without a right row to which nothing was answered.';
create index evaluation_table_idx on lookup.evaluation (table_id, at);
