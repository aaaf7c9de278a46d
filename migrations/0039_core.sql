-- Repairs: what operators change in the definitions of tools. A repair lies above the definition that the origin lists,
-- so a refresh does not lose it.
create table catalog.repair (
    id bigint generated always as identity primary key,
    origin_id bigint not null references catalog.origin,
    tool text collate core.c_utf8,
    version integer not null check (version > 0),
    earlier_version integer,
    is_current boolean not null default true,
    changes jsonb not null check (jsonb_typeof(changes) = 'object'),
    reason text collate core.c_utf8 not null default '',
    made_at timestamptz not null,
    made_by bigint references policy.principal,
    constraint repair_version_key unique nulls not distinct (origin_id, tool, version)
);
alter table catalog.repair enable row level security, force row level security;
create unique index repair_current_idx on catalog.repair (origin_id, tool) nulls not distinct
where is_current;
create index repair_made_by_idx on catalog.repair (made_by);
comment on table catalog.repair is
'Repairs of the definitions of tools, in all versions. The definition that clients see is the definition that the '
'origin lists, with the current repairs of the origin and of the tool (catalog.repair_definition).';
comment on column catalog.repair.tool is
'The origin''s own name of the tool; null: the repair applies to all tools of the origin.';
comment on column catalog.repair.earlier_version is 'The version that an undo brings back; null: no repair.';
comment on column catalog.repair.changes is
'JSON {name, title, brief, description, categories, examples, phrases, arguments: {ARGUMENT: {name, description, '
'default, hidden}}}. Members that are missing are as the origin lists them.';
