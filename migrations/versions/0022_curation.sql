-- What curators say of rows of lookup tables, beside what the source of the rows says.
-- One transaction with the service stopped or waiting, so locks are no risk; callers of the dropped are changed with it.
-- squawk-ignore-file ban-drop-function
drop function if exists api.list_principals();
drop function if exists api.lookup_rows(text, text, integer, text, boolean);

alter table policy.principal add column is_curator boolean not null default false;
comment on column policy.principal.is_curator is 'Whether it may curate lookup tables; operators and administrators may anyway.';

alter table lookup.lookup_row add column given jsonb;
comment on column lookup.lookup_row.given is 'Of a curated row: aliases, active and provenance as its source has them. Null where no curator has said anything.';

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
comment on table lookup.curation is 'What curators have said of rows. It is kept apart from them, so that loading a table anew keeps it.';
comment on column lookup.curation.key is 'Id of the row. No reference: a row that its source leaves out and brings back is still curated.';
comment on column lookup.curation.name is 'TABLE/ID, by which the audit tells it.';
comment on column lookup.curation.curator is 'Who said it. No reference: it outlives the principal.';

alter table lookup.curation enable row level security;
alter table lookup.curation force row level security;
