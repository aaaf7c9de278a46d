-- Principals and their keys; rules, their versions and what follows from them; decisions.

create schema policy;
comment on schema policy is 'Principals, their keys, and the one predicate that decides what a principal may see.';

create type policy.item as (
    ref bigint, kind text, origin text, name text, categories text[], traits text[] -- noqa: LT01
);
comment on type policy.item is 'What rules look at: a card or an origin, under a number of the asker''s own.';

create type policy.verdict as (
    is_allowed boolean, version_id integer, rule integer, reason text -- noqa: LT01
);
comment on type policy.verdict is 'What policy.decide says: whether it is allowed, by which version, by which rule of it, and why in words.';

create table policy.organisation (
    id bigint generated always as identity primary key,
    name text not null unique check (name <> '' and length(name) <= 200),
    description text not null default '',
    created_at timestamptz not null default now()
);
alter table policy.organisation enable row level security, force row level security;
comment on table policy.organisation is 'Who principals belong to; rules may speak of an organisation.';

create table policy.principal (
    id bigint generated always as identity primary key,
    name text not null unique check (name <> ''),
    kind text not null check (kind in ('person', 'agent', 'service')),
    role text not null check (role in ('user', 'operator', 'admin')),
    organisation_id bigint references policy.organisation,
    database_role text unique,
    enabled boolean not null default true,
    is_curator boolean not null default false,
    created_at timestamptz not null default now()
);
alter table policy.principal enable row level security, force row level security;
comment on table policy.principal is 'Who may ask: people, agents and services.';
comment on column policy.principal.organisation_id is 'Null for principals of no organisation.';
comment on column policy.principal.database_role is 'Login role whose psql sessions act as this principal; null for principals that come through the service only.';
comment on column policy.principal.is_curator is 'Whether it may curate lookup tables; operators and administrators may anyway.';
create index principal_organisation_idx on policy.principal (organisation_id);

create table policy.api_key (
    id bigint generated always as identity primary key,
    principal_id bigint not null references policy.principal on delete cascade,
    label text not null,
    prefix text not null,
    key_hash bytea not null unique check (length(key_hash) = 32),
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    last_used_at timestamptz,
    revoked_at timestamptz
);
alter table policy.api_key enable row level security, force row level security;
comment on table policy.api_key is 'Bearer keys, kept as SHA-256 only; the prefix is what people recognise a key by.';
comment on column policy.api_key.last_used_at is 'When it last let somebody in, to the minute.';
create index api_key_principal_idx on policy.api_key (principal_id);
create unique index api_key_live_label_idx on policy.api_key (principal_id, label)
where revoked_at is null;

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
alter table policy.matcher enable row level security, force row level security;
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
alter table policy.rule_version enable row level security, force row level security;
comment on table policy.rule_version is 'Sets of rules, never changed once written; exactly one is active.';
comment on column policy.rule_version.default_effect is 'What holds for a card that no rule speaks of.';
comment on column policy.rule_version.is_pinned is 'No other version is made active until it is unpinned.';
create unique index rule_version_active_idx on policy.rule_version (is_active) where is_active;
create index rule_version_created_by_idx on policy.rule_version (created_by);
create index rule_version_activated_by_idx on policy.rule_version (activated_by);

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
alter table policy.rule enable row level security, force row level security;
comment on table policy.rule is 'Who may or may not use what. Deny overrules allow, allow overrules the default of the version.';
comment on column policy.rule.subject is 'everyone, role:ROLE, organisation:NAME, principal:NAME or toolset:NAME.';
create index rule_matcher_idx on policy.rule (matcher_id);

create table policy.toolset (
    id bigint generated always as identity primary key,
    name text not null unique check (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
    description text not null default '',
    matcher_id integer not null references policy.matcher,
    created_at timestamptz not null default now()
);
alter table policy.toolset enable row level security, force row level security;
comment on table policy.toolset is 'Named doors, /mcp/NAME: through one a principal sees what it may see anyway, of the pinned cards only.';
comment on column policy.toolset.matcher_id is 'The pinned cards.';
create index toolset_matcher_idx on policy.toolset (matcher_id);

-- Cards that the same matchers mean share a class, so that a right is decided once a class and not once a card.
create table policy.rights_class (
    id integer primary key check (id >= 0),
    matchers integer[] not null,
    constraint rights_class_matchers_key exclude using hash (matchers with =)
);
alter table policy.rights_class enable row level security, force row level security;
comment on table policy.rights_class is 'Classes of cards: those that exactly these matchers of the active version and of the toolsets mean; 0 is what no matcher means.';

create table policy.subject_rights (
    subject text primary key,
    allows bit varying not null,
    denies bit varying not null,
    pins bit varying not null
);
alter table policy.subject_rights enable row level security, force row level security;
comment on table policy.subject_rights is 'What the active rules say of each subject: one bit a rights class. Written by policy.refresh_rights.';

create table policy.decision (
    id bigint generated always as identity primary key,
    decided_at timestamptz not null default now(),
    principal_id bigint not null,
    toolset text,
    door text not null check (door in ('call', 'describe')),
    kind text not null,
    ref bigint not null,
    name text not null,
    is_allowed boolean not null,
    version_id integer not null,
    rule integer,
    reason text not null
);
alter table policy.decision enable row level security, force row level security;
comment on table policy.decision is 'What was denied, calls and descriptions, and reads that were allowed, with the rule that decided; of allowed calls calls.call has it.';
comment on column policy.decision.principal_id is 'Of policy.principal, whose rows stay.';
comment on column policy.decision.version_id is 'Of policy.rule_version, whose rows stay.';
comment on column policy.decision.rule is 'Position of the rule in its version; null where the default or a toolset''s list decided.';
create index decision_principal_idx on policy.decision (principal_id, decided_at desc);
create index decision_decided_idx on policy.decision using brin (decided_at);

create table policy.identity (
    issuer text not null,
    subject text not null,
    principal_id bigint not null unique references policy.principal on delete cascade,
    claimed_at timestamptz,
    primary key (issuer, subject)
);
alter table policy.identity enable row level security, force row level security;
comment on table policy.identity is 'Whose tokens act as a principal: the subject that an issuer knows it by.';
comment on column policy.identity.subject is 'Value of the claim auth.oidc.subject_claim.';
comment on column policy.identity.claimed_at is 'When the newest token seen was issued: what it says of role and organisation is not taken back by an older one.';

create table policy.rule_activation (
    id bigint generated always as identity primary key,
    version_id integer not null references policy.rule_version,
    valid_from timestamptz not null,
    valid_to timestamptz check (valid_to >= valid_from),
    activated_by bigint references policy.principal
);
alter table policy.rule_activation enable row level security, force row level security;
comment on table policy.rule_activation is 'Which version of the rules held when, from (inclusive) to (exclusive).';
create unique index rule_activation_open_idx on policy.rule_activation ((valid_to is null))
where valid_to is null;
create index rule_activation_version_idx on policy.rule_activation (version_id);
create index rule_activation_activated_by_idx on policy.rule_activation (activated_by);
