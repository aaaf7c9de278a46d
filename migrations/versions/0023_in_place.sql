-- Lookup tables over tables of the user's own, and what makes finding names quick.
-- squawk-ignore-file prefer-bigint-over-smallint

-- Names have few lexemes and no weights: lists of places are a third of the size of sparse vectors,
-- and only what is in them is added up.
create table search.name_posting (
    term_id integer not null references search.term,
    block bigint not null,
    places smallint[] not null check (cardinality(places) > 0),
    primary key (term_id, block)
);
-- Long lists go out of line as they are: compressing them would cost each query more than reading.
alter table search.name_posting alter column places set storage external;
comment on table search.name_posting is 'Of each lexeme of names the cards that have it.';
comment on column search.name_posting.block is
'Cards of 32768 consecutive ids: block * 32768 is at place 0.';
alter table search.name_posting enable row level security;
alter table search.name_posting force row level security;

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
comment on table lookup.source is
'The table of the user''s own that a lookup table lies over: its name and columns.';
comment on column lookup.source.relation is 'Schema and name, each quoted where it has to be.';
comment on column lookup.source.follows is
'Whether triggers there tell which rows have changed; else all are read again.';
comment on column lookup.source.every is
'How often all rows are read again where no trigger tells of changes.';
comment on column lookup.source.failure is
'Why the last refresh did not succeed; the rows are those of the one before. Null: it did.';
alter table lookup.source enable row level security;
alter table lookup.source force row level security;

create table lookup.source_change (
    id bigint generated always as identity primary key,
    table_id integer not null references lookup.source on delete cascade,
    key text
);
create index source_change_table_idx on lookup.source_change (table_id);
comment on table lookup.source_change is
'Rows of the user''s own tables that have changed and are not read again yet.';
comment on column lookup.source_change.key is 'Id of the row; null: any row may have changed.';
alter table lookup.source_change enable row level security;
alter table lookup.source_change force row level security;
