-- A file with rules can also contain repairs, so that they are versioned, tried and rolled back together.
alter table policy.rule_version add column repairs jsonb check (jsonb_typeof(repairs) = 'array');
comment on column policy.rule_version.repairs is
'All repairs that are current while this version is active, as [{origin, tool, ...}] with the changes of '
'catalog.repair.changes. Without tool, a repair applies to all tools of the origin. Null: the version says nothing '
'about repairs.';
alter table policy.rule_version add column repairs_left jsonb check (jsonb_typeof(repairs_left) = 'array');
comment on column policy.rule_version.repairs_left is
'The repairs that were current when another version with repairs replaced this one, in the form of the column repairs. '
'If this version is activated again, they are brought back. Null: no version with repairs has replaced this one.';
comment on column catalog.repair.changes is
'JSON {name, title, brief, description, categories, examples, phrases, pinned, arguments: {ARGUMENT: {name, '
'description, default, hidden}}}. Members that are missing are as the origin lists them.';

-- Agents propose by which words searches also find a tool of a new server. People decide.
create table catalog.phrase_proposal (
    id bigint generated always as identity primary key,
    item_id bigint not null references catalog.item on delete cascade,
    phrases text[] collate core.c_utf8 not null check (cardinality(phrases) between 1 and 10),
    proposed_by bigint not null references policy.principal,
    proposed_at timestamptz not null,
    is_approved boolean,
    decided_by bigint references policy.principal,
    decided_at timestamptz,
    constraint phrase_proposal_decided_check check ((is_approved is null) = (decided_at is null))
);
alter table catalog.phrase_proposal enable row level security, force row level security;
create unique index phrase_proposal_open_idx on catalog.phrase_proposal (item_id, proposed_by)
where is_approved is null;
create index phrase_proposal_item_idx on catalog.phrase_proposal (item_id);
create index phrase_proposal_proposed_by_idx on catalog.phrase_proposal (proposed_by);
create index phrase_proposal_decided_by_idx on catalog.phrase_proposal (decided_by);
comment on table catalog.phrase_proposal is
'Words of goals that a principal, mostly an agent, has proposed for a tool. If an operator approves them, they become '
'phrases of the repair of the tool.';
comment on column catalog.phrase_proposal.is_approved is 'Whether the proposal was approved; null: nobody has decided.';
