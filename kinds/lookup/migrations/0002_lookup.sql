-- Lookup tables, the scores of their rows, and the queries to lookup tables.

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
'A query to a lookup table, in the form that the functions share. It contains the text in four forms (as given; '
'normalised; with the first word replaced by its initial; without the letters that vary in Latin spelling), the '
'words, the weight of each word and of all words, whether the table knows the first word, whether a word occurs '
'twice, the lexemes, the preferred language, the requested properties, the vector, and the vector''s model.';
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
comment on type lookup.candidate is
'A name to which a query may refer, with its row, and how much the query and the name have in common.';

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
comment on table lookup.lookup_table is
'Lookup tables. A lookup table is a set of rows to which strings can be matched.';
comment on column lookup.lookup_table.threshold is
'Lowest probability that an answer or a match may have. It was learned for the precision in the column precision, or '
'is 0.6.';
comment on column lookup.lookup_table.gap is
'By how much the probability of the first answer must exceed that of the second answer for a match.';
comment on column lookup.lookup_table.properties is 'Names of the properties that rows of the table have.';
comment on column lookup.lookup_table.has_vectors is
'Whether names have vectors, so that names with a similar meaning are found.';
comment on column lookup.lookup_table.version is
'Counts changes to rows. A cached answer is valid as long as this number does not change.';

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
comment on column lookup.lookup_row.facts is
'Properties as PROPERTY=value, lower case, for comparison with requested properties.';
comment on column lookup.lookup_row.evidence is
'Normalised words of the properties, with a space before and after each word.';
comment on column lookup.lookup_row.given is
'For a row that a curator has changed: aliases, active and provenance as in its source. Null for other rows.';
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
comment on table lookup.lookup_name is
'One row for each name of a lookup row (its value and every alias), with the keys of the short forms of the name. The '
'text of the name is stored in its card.';
comment on column lookup.lookup_name.short is
'The name with its first word replaced by its initial.';
comment on column lookup.lookup_name.stem is
'The name without the letters that vary in Latin spelling.';
comment on column lookup.lookup_name.second is 'Stem of the second word.';
comment on column lookup.lookup_name.initials is 'First letters of all words, if there are two or more.';
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
comment on table lookup.curation is
'Changes by curators. They are stored apart from the rows, so that they are kept when the table is loaded again.';
comment on column lookup.curation.key is
'Id of the row. It is not a foreign key: if a row disappears from its source and comes back, the changes by curators '
'still apply.';
comment on column lookup.curation.name is 'Name of the curated row in audit records: TABLE/ID.';
comment on column lookup.curation.curator is
'Name of the curator. It is not a foreign key, because the change is kept after the principal has been deleted.';

-- A lookup table can read its rows from a user's own table. Quartermaster never writes to that table, and can read it
-- only if its owner has granted this right to the role qm_owner.
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
comment on table lookup.source is
'The name and columns of the user''s own table from which a lookup table reads.';
comment on column lookup.source.relation is 'Schema and name of the user''s own table, each quoted if necessary.';
comment on column lookup.source.follows is
'Whether triggers on the user''s own table report changed rows. Without triggers, all rows are read again at '
'intervals.';
comment on column lookup.source.every is 'Interval at which all rows are read again if there are no triggers.';
comment on column lookup.source.failure is
'Reason why the last refresh failed; null if the last refresh succeeded. After a failure, the rows of the previous '
'refresh are kept.';

create table lookup.source_change (
    id bigint generated always as identity primary key,
    table_id integer not null references lookup.source on delete cascade,
    key text
);
alter table lookup.source_change enable row level security, force row level security;
comment on table lookup.source_change is 'Changed rows of users'' own tables that have not been read again yet.';
comment on column lookup.source_change.key is 'Id of the changed row; null if any row may have changed.';
create index source_change_table_idx on lookup.source_change (table_id);

create table lookup.shadow (
    table_id integer primary key references lookup.lookup_table on delete cascade,
    share real not null check (share between 0 and 1),
    threshold real check (threshold between 0 and 1),
    candidates integer not null default 30 check (candidates between 1 and 100)
);
alter table lookup.shadow enable row level security, force row level security;
comment on table lookup.shadow is
'Shadows: trials with other weights. A shadow answers a share of the queries again, after the reply was sent. Its '
'weights are in the profile shadow:TABLE; without such a profile, it uses the weights of the table.';
comment on column lookup.shadow.share is
'Share of the queries that the shadow also answers, 0 to 1.';
comment on column lookup.shadow.threshold is 'Threshold of the shadow; null if the threshold of the table is used.';
comment on column lookup.shadow.candidates is 'Number of candidates to find by trigrams.';

create table lookup.gold (
    id bigint generated always as identity primary key,
    table_id integer not null references lookup.lookup_table on delete cascade,
    query text not null check (length(query) between 1 and 1000),
    expected text[] not null,
    properties jsonb check (jsonb_typeof(properties) = 'object'),
    unique nulls not distinct (table_id, query, properties)
);
alter table lookup.gold enable row level security, force row level security;
comment on table lookup.gold is
'Gold pairs: strings for which the correct rows are known. They are used to measure lookup tables.';
comment on column lookup.gold.expected is
'Ids of the correct rows; empty if no row is correct.';

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
comment on table lookup.evaluation is
'Results of a lookup table on its gold pairs, run by run. A measure is null if no gold pair can be used for it.';
comment on column lookup.evaluation.version is 'Version of the table at the time of the evaluation.';
comment on column lookup.evaluation.profile is
'Name of the weights that scored the table: the table''s own name, or ''default''.';
comment on column lookup.evaluation.mrr is
'Mean reciprocal rank: the mean of 1 / rank of the first correct row among the first 10 rows.';
comment on column lookup.evaluation.ndcg is 'Normalised discounted cumulative gain of the first 10 rows.';
comment on column lookup.evaluation.silence is
'Among the queries for which no row is correct, the share that got no answer.';
create index evaluation_table_idx on lookup.evaluation (table_id, at);
