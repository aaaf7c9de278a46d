-- Lookup tables: the second kind of card, and how its answers are scored.
-- A table is a card of kind lookup_table, each name of a row one of kind lookup: rules see both, origin is the table's name.
create schema lookup;
comment on schema lookup is 'Lookup tables, their rows, and the matching of messy names to them.';

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
    weighed_names integer not null default 0,
    version bigint not null default 0,
    created_at timestamptz not null,
    loaded_at timestamptz
);
comment on table lookup.lookup_table is 'What strings can be matched to: a named set of rows.';
comment on column lookup.lookup_table.threshold is 'Probability from which an answer is given and may be a match; learned at the stated precision, or 0.6.';
comment on column lookup.lookup_table.gap is 'How far the first answer must lie before the second to be a match.';
comment on column lookup.lookup_table.properties is 'Names of the properties that any row has.';
comment on column lookup.lookup_table.weighed_names is 'Number of names with which lengths were computed; all are computed anew when it drifts.';
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
    content_hash bytea not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    unique (table_id, key)
);
create index lookup_row_facts_idx on lookup.lookup_row using gin (facts) with (fastupdate = off);
comment on table lookup.lookup_row is 'A row of a lookup table.';
comment on column lookup.lookup_row.key is 'The id by which people know the row.';
comment on column lookup.lookup_row.facts is 'Properties as PROPERTY=value, lower case: what constraints are compared with.';
comment on column lookup.lookup_row.evidence is 'Words of the properties, normalised, each between spaces.';

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
create index lookup_name_row_idx on lookup.lookup_name (row_id);
create index lookup_name_short_idx on lookup.lookup_name (table_id, short);
create index lookup_name_stem_idx on lookup.lookup_name (table_id, stem);
create index lookup_name_second_idx on lookup.lookup_name (table_id, second);
create index lookup_name_initials_idx on lookup.lookup_name (table_id, initials);
comment on table lookup.lookup_name is 'The names of a row, its value and each alias, with the keys under which short forms find them; the card has the name itself.';
comment on column lookup.lookup_name.short is 'The first word as its initial, then the others.';
comment on column lookup.lookup_name.stem is 'The name without what spellings of Latin differ in.';
comment on column lookup.lookup_name.second is 'Stem of the second word.';
comment on column lookup.lookup_name.initials is 'First letters of all words, where there are two or more.';

create table lookup.coefficient (
    profile text not null,
    part text not null check (part in ('score', 'confidence')),
    feature text not null,
    weight real not null,
    primary key (profile, part, feature)
);
comment on table lookup.coefficient is 'The learned score: weight of each feature, by profile: the name of a table that has weights of its own, or default.';
comment on column lookup.coefficient.part is 'score orders the rows, confidence says how probable it is that the first one is right.';
comment on column lookup.coefficient.feature is 'One of lookup.feature_names(), intercept, or, of confidence, odds, odds_squared, odds_high.';

alter table lookup.lookup_table enable row level security;
alter table lookup.lookup_table force row level security;
alter table lookup.lookup_row enable row level security;
alter table lookup.lookup_row force row level security;
alter table lookup.lookup_name enable row level security;
alter table lookup.lookup_name force row level security;
alter table lookup.coefficient enable row level security;
alter table lookup.coefficient force row level security;
