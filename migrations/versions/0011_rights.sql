-- Organisations, rules and their versions, rights classes, toolsets, decisions.
-- One transaction with the service stopped or waiting, so locks are no risk; callers of the dropped are changed with it.
-- squawk-ignore-file ban-drop-function, require-concurrent-index-creation, adding-foreign-key-constraint, constraint-missing-not-valid, adding-field-with-default
create table policy.organisation (
    id bigint generated always as identity primary key,
    name text not null unique check (name <> '' and length(name) <= 200),
    description text not null default '',
    created_at timestamptz not null default now()
);
comment on table policy.organisation is 'Who principals belong to; rules may speak of an organisation.';

alter table policy.principal add column organisation_id bigint references policy.organisation;
create index principal_organisation_idx on policy.principal (organisation_id);
comment on column policy.principal.organisation_id is 'Null for principals of no organisation.';
drop function if exists policy.put_principal(text, text, text, text);

-- What a rule speaks of, kept once: a member that is null says nothing.
create table policy.matcher (
    id integer generated always as identity primary key,
    digest bytea not null unique,
    object jsonb not null,
    kinds text[],
    origins text[],
    names text[],
    categories text[],
    read_only boolean,
    destructive boolean
);
comment on table policy.matcher is 'Objects of rules and toolsets: a card is meant when every member that is given fits it, by any of its values.';
comment on column policy.matcher.digest is 'SHA-256 of object.';
comment on column policy.matcher.object is 'As it was written.';
comment on column policy.matcher.origins is 'Names, with * for any characters and ? for one.';
comment on column policy.matcher.names is 'Names of cards (of a tool the callable name), with * and ?.';

create table policy.rule_version (
    id integer generated always as identity primary key,
    note text not null default '',
    default_effect text not null check (default_effect in ('allow', 'deny')),
    created_at timestamptz not null default now(),
    created_by bigint references policy.principal,
    activated_at timestamptz,
    activated_by bigint references policy.principal,
    is_active boolean not null default false,
    is_pinned boolean not null default false,
    constraint rule_version_pinned_is_active check (is_active or not is_pinned)
);
create unique index rule_version_active_idx on policy.rule_version (is_active) where is_active;
create index rule_version_created_by_idx on policy.rule_version (created_by);
create index rule_version_activated_by_idx on policy.rule_version (activated_by);
comment on table policy.rule_version is 'Sets of rules, never changed once written; exactly one is active.';
comment on column policy.rule_version.default_effect is 'What holds for a card that no rule speaks of.';
comment on column policy.rule_version.is_pinned is 'No other version is made active until it is unpinned.';

create table policy.rule (
    version_id integer not null references policy.rule_version,
    position integer not null check (position > 0),
    effect text not null check (effect in ('allow', 'deny')),
    subject text not null check (
        subject ~ '^(everyone|role:(user|operator|admin)|(organisation|principal|toolset):.+)$'
    ),
    matcher_id integer not null references policy.matcher,
    reason text not null default '',
    primary key (version_id, position)
);
create index rule_matcher_idx on policy.rule (matcher_id);
comment on table policy.rule is 'Who may or may not use what. Deny overrules allow, allow overrules the default of the version.';
comment on column policy.rule.subject is 'everyone, role:ROLE, organisation:NAME, principal:NAME or toolset:NAME.';

create table policy.toolset (
    id bigint generated always as identity primary key,
    name text not null unique check (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
    description text not null default '',
    matcher_id integer not null references policy.matcher,
    created_at timestamptz not null default now()
);
create index toolset_matcher_idx on policy.toolset (matcher_id);
comment on table policy.toolset is 'Named doors, /mcp/NAME: through one a principal sees what it may see anyway, of the pinned cards only.';
comment on column policy.toolset.matcher_id is 'The pinned cards.';

-- Cards that the same matchers mean share a class, so that a right is decided once a class and not once a card.
create table policy.rights_class (
    id integer primary key check (id >= 0),
    matchers integer[] not null,
    constraint rights_class_matchers_key exclude using hash (matchers with =)
);
insert into policy.rights_class (id, matchers) values (0, '{}');
comment on table policy.rights_class is 'Classes of cards: those that exactly these matchers of the active version and of the toolsets mean; 0 is what no matcher means.';

create table policy.subject_rights (
    subject text primary key,
    allows bit varying not null,
    denies bit varying not null,
    pins bit varying not null
);
comment on table policy.subject_rights is 'What the active rules say of each subject: one bit a rights class. Written by policy.refresh_rights.';

create type policy.item as (
    ref bigint, kind text, origin text, name text, categories text[], annotations jsonb -- noqa: LT01
);
comment on type policy.item is 'What rules look at: a card or an origin, under a number of the asker''s own.';

create table policy.decision (
    id bigint generated always as identity primary key,
    decided_at timestamptz not null default now(),
    principal_id bigint not null references policy.principal,
    toolset text,
    door text not null check (door in ('call', 'describe')),
    kind text not null,
    ref bigint not null,
    name text not null,
    is_allowed boolean not null,
    version_id integer not null references policy.rule_version,
    rule integer,
    reason text not null
);
create index decision_principal_idx on policy.decision (principal_id, decided_at desc);
create index decision_version_idx on policy.decision (version_id);
create index decision_decided_idx on policy.decision using brin (decided_at);
comment on table policy.decision is 'Every call that was asked for and every description that was denied, with the rule that decided.';
comment on column policy.decision.rule is 'Position of the rule in its version; null where the default or a toolset''s list decided.';

alter table catalog.origin add column rights_class integer not null default 0;
alter table catalog.tool add column rights_class integer not null default 0;
alter table search.card add column rights_class integer not null default 0;
-- Rules change the class of many cards at once: in place, where there is room.
alter table search.card set (fillfactor = 85);
drop function if exists policy.is_visible(text, bigint, bigint) cascade;
comment on column catalog.origin.rights_class is 'Number in policy.rights_class, kept by triggers.';
comment on column catalog.tool.rights_class is 'Number in policy.rights_class, kept by triggers.';
comment on column search.card.rights_class is 'Number in policy.rights_class, kept by triggers.';

alter table policy.organisation enable row level security;
alter table policy.organisation force row level security;
alter table policy.matcher enable row level security;
alter table policy.matcher force row level security;
alter table policy.rule_version enable row level security;
alter table policy.rule_version force row level security;
alter table policy.rule enable row level security;
alter table policy.rule force row level security;
alter table policy.toolset enable row level security;
alter table policy.toolset force row level security;
alter table policy.rights_class enable row level security;
alter table policy.rights_class force row level security;
alter table policy.subject_rights enable row level security;
alter table policy.subject_rights force row level security;
alter table policy.decision enable row level security;
alter table policy.decision force row level security;
