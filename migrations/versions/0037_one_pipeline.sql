-- Every kind is found by search.search: which features score it, and who gathers its candidates, its feature set says.
-- To be folded into the files of the domains.
-- squawk-ignore-file ban-drop-table, ban-drop-column, adding-required-field, adding-foreign-key-constraint, constraint-missing-not-valid, require-concurrent-index-creation
create table search.feature_set (
    name text primary key,
    description text not null,
    features text[] not null,
    channels text[] not null,
    candidates_function text not null,
    check (cardinality(features) = cardinality(channels))
);
comment on table search.feature_set is 'What cards are scored by, and the function that finds candidates and computes it.';
comment on column search.feature_set.features is 'Names, in the order of the arrays that the function returns.';
comment on column search.feature_set.channels is
'The channel that each feature comes from: lexical, dense, fuzzy; null: of no channel. A channel whose weight is 0 has no say (search.silence).';
comment on column search.feature_set.candidates_function is
'f(goal search.goal) returns setof search.candidate: visible cards only.';
alter table search.feature_set enable row level security;
alter table search.feature_set force row level security;

alter table search.kind
add foreign key (feature_set) references search.feature_set;
alter table search.kind add column index_type text not null default 'text' check (index_type in ('text', 'names'));
create index kind_feature_set_idx on search.kind (feature_set);
comment on column search.kind.index_type is
'text: BM25 over fields; names: trigrams and words of the name alone, each origin a corpus of its own.';

drop table search.coefficient;
create table search.coefficient (
    kind text not null references search.kind,
    profile text not null,
    part text not null check (part in ('score', 'confidence')),
    feature text not null,
    weight real not null,
    primary key (kind, profile, part, feature)
);
comment on table search.coefficient is 'What was learned: weight of each feature, for one kind and profile.';
comment on column search.coefficient.profile is 'The embedding model it was learned with, or a name that the kind chooses: of a lookup table, or default.';
comment on column search.coefficient.part is 'score orders the cards, confidence says how probable it is that the first one is right.';
comment on column search.coefficient.feature is 'One of the kind''s feature set, intercept, or, of confidence, odds, odds_squared, odds_high.';
alter table search.coefficient enable row level security;
alter table search.coefficient force row level security;
drop table lookup.coefficient;

-- Whatever is asked leaves a receipt: lookups too, whose words are kept only where somebody wants them.
drop table lookup.request;
alter table selection.receipt
alter column goal drop not null,
add column goal_hash bytea,
add column origin text,
add column door text check (door in ('http', 'mcp')),
add column request_id text,
add column detail jsonb not null default '{}' check (jsonb_typeof(detail) = 'object'),
add constraint receipt_goal_known check (goal is not null or goal_hash is not null);
create index receipt_origin_idx on selection.receipt (kind, origin, created_at) where goal_hash is not null;
comment on column selection.receipt.goal is 'Null where the kind keeps its hash only.';
comment on column selection.receipt.goal_hash is 'SHA-256 of the goal in lower case, blanks collapsed; of kinds whose goals may not be kept.';
comment on column selection.receipt.origin is 'The origin among whose cards alone was searched, such as a lookup table; null: none.';
comment on column selection.receipt.detail is 'What the kind says beside: of lookups k, match, error, and shadow, {profile, key, score, match, ms}.';
alter table search.kind add column keep_setting text not null default 'receipt.keep';
comment on column search.kind.keep_setting is 'The setting that says how long its receipts are kept.';
delete from jobs.job where name = 'forget_lookups';

alter table selection.pool drop column cards;
drop type search.found;
create type search.goal as (
    kind text,
    text text,
    vectors ext.vector [],
    lexical integer,
    dense integer,
    fuzzy integer,
    ef_search integer,
    scope jsonb
);
comment on type search.goal is
'What candidates are gathered for: kind, goal, its unit vector and those of its sentences, candidates by lexical, dense and fuzzy search, hnsw.ef_search, and what the feature set wants to know beside.';
create type search.candidate as (
    card_id bigint,
    label text,
    text_hash bytea,
    lexical real,
    dense real,
    fuzzy real,
    sources text [],
    features real []
);
comment on type search.candidate is
'A card that channels found: its name, the hash of the text of its vector, by which cards of the same name are known to say the same (null: it stands for itself), each channel''s own score, the channels that found it, its features in the order of its feature set.';
create type search.found as (
    card_id bigint,
    score real,
    lexical real,
    dense real,
    fuzzy real,
    sources text [],
    features real [],
    odds double precision
);
comment on type search.found is
'A card that the engine found: score (0 to 1), each channel''s own score, the channels that found it, its features in the order of its feature set, the log odds that the learned score is made of (null: fusion).';
alter table selection.pool add column cards search.found [] not null;

alter type search.goal_terms add attribute most real;
comment on type search.goal_terms is
'Tokens of a goal that the kind knows: as a sparse vector, and one by one with their weight and the factor of their postings (arrays are null where there is none); most: what the whole goal weighs.';

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
    terms search.goal_terms,
    language text,
    facts text [],
    meaning ext.vector,
    model_id integer
);
comment on type lookup.question is
'A query to a lookup table, read once: its text as given, normalised, with the first word as its initial, and without what spellings of Latin differ in; its words, what each and what all weigh, and whether the first is known to the table; its lexemes; language preferred; properties asked for; vector, and the model it is of.';
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
