-- Principals and their keys; rules, their versions and the rights that result; decisions.

create schema policy;
comment on schema policy is
'Principals, their keys, and the only predicate that decides what a principal may see.';

create type policy.item as (
    ref bigint, kind text, origin text, name text, categories text[], traits text[] -- noqa: LT01
);
comment on type policy.item is
'A card or an origin, to which rules can refer, with a reference number that the caller chooses.';

create type policy.verdict as (
    is_allowed boolean, version_id integer, rule integer, reason text -- noqa: LT01
);
comment on type policy.verdict is
'Result of policy.decide: whether access is allowed, the version and the rule that decided, and the reason in words.';

create table policy.organisation (
    id bigint generated always as identity primary key,
    name text not null unique check (name <> '' and length(name) <= 200),
    description text not null default '',
    created_at timestamptz not null default now()
);
alter table policy.organisation enable row level security, force row level security;
comment on table policy.organisation is 'Groups of principals that rules can name.';

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
comment on table policy.principal is 'Who may use Quartermaster: people, agents and services.';
comment on column policy.principal.organisation_id is 'Null for principals without an organisation.';
comment on column policy.principal.database_role is
'Login role whose psql sessions act as this principal; null if it uses only the service.';
comment on column policy.principal.is_curator is
'Whether it may curate lookup tables; operators and administrators always may.';
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
comment on table policy.api_key is 'Bearer keys, stored as SHA-256 only. People recognise a key by its prefix.';
comment on column policy.api_key.last_used_at is 'Last use, to the minute.';
create index api_key_principal_idx on policy.api_key (principal_id);
create unique index api_key_live_label_idx on policy.api_key (principal_id, label)
where revoked_at is null;

-- Each row describes a set of cards, and all rules that refer to this set share the row. A column that is null imposes
-- no restriction.
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
comment on table policy.matcher is
'Objects of rules and toolsets. A card matches an object if every given member matches. A member matches if one of '
'its values does.';
comment on column policy.matcher.digest is 'SHA-256 of object.';
comment on column policy.matcher.object is 'The object as it was written.';
comment on column policy.matcher.origins is 'Names, with * for any characters and ? for one.';
comment on column policy.matcher.names is
'Names of cards, with * for any characters and ? for one. The name of a tool is its callable name.';

create table policy.rule_version (
    id integer generated always as identity primary key,
    note text not null default '',
    default_effect text not null check (default_effect in ('allow', 'deny')),
    guardrails jsonb not null default '[]' check (jsonb_typeof(guardrails) = 'array'),
    created_at timestamptz not null default now(),
    created_by bigint references policy.principal,
    activated_at timestamptz,
    activated_by bigint references policy.principal,
    is_active boolean not null default false,
    is_pinned boolean not null default false,
    constraint rule_version_pinned_is_active check (is_active or not is_pinned)
);
alter table policy.rule_version enable row level security, force row level security;
comment on table policy.rule_version is
'Versions of the rules, which never change once written; exactly one is active.';
comment on column policy.rule_version.default_effect is 'Effect for a card that no rule matches.';
comment on column policy.rule_version.guardrails is
'What happens to the results of tools: an array of {subject, origins, instructions, personal, secrets, result_bytes}. '
'For each member the first entry that matches and has it decides; see policy.guardrails_of.';
comment on column policy.rule_version.is_pinned is
'Whether this version is pinned, so that no other version can be activated until somebody unpins it.';
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
comment on table policy.rule is
'Which subjects may or may not use which cards. Deny beats allow, and allow beats the default of the version.';
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
comment on table policy.toolset is
'Named endpoints, /mcp/NAME. Through a toolset, a principal sees only those pinned cards that it may see anyway.';
comment on column policy.toolset.matcher_id is 'The pinned cards.';
create index toolset_matcher_idx on policy.toolset (matcher_id);

-- Cards that match the same matchers share a class, so that rights are computed for each class, not
-- for each card.
create table policy.rights_class (
    id integer primary key check (id >= 0),
    matchers integer[] not null,
    constraint rights_class_matchers_key exclude using hash (matchers with =)
);
alter table policy.rights_class enable row level security, force row level security;
comment on table policy.rights_class is
'Classes of cards. All cards of a class match the same matchers in the active version and in the toolsets. Cards of '
'class 0 match none.';

create table policy.subject_rights (
    subject text primary key,
    allows bit varying not null,
    denies bit varying not null,
    pins bit varying not null
);
alter table policy.subject_rights enable row level security, force row level security;
comment on table policy.subject_rights is
'The rights that the active rules give to each subject: one bit for each rights class. Written by '
'policy.refresh_rights.';

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
comment on table policy.decision is
'Denied calls and descriptions, and allowed reads, with the rule that decided. For allowed calls see calls.call.';
comment on column policy.decision.principal_id is 'Id in policy.principal, whose rows are never deleted.';
comment on column policy.decision.version_id is 'Id in policy.rule_version, whose rows are never deleted.';
comment on column policy.decision.rule is
'Position of the rule in its version; null if the default or a toolset decided.';
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
comment on table policy.identity is
'Binds the tokens that an issuer gives to a subject to a principal.';
comment on column policy.identity.subject is 'Value of the claim auth.oidc.subject_claim.';
comment on column policy.identity.claimed_at is
'When the newest token seen so far was issued. An older token does not reset the role and organisation that the newest '
'token set.';

create table policy.rule_activation (
    id bigint generated always as identity primary key,
    version_id integer not null references policy.rule_version,
    valid_from timestamptz not null,
    valid_to timestamptz check (valid_to >= valid_from),
    activated_by bigint references policy.principal
);
alter table policy.rule_activation enable row level security, force row level security;
comment on table policy.rule_activation is
'The periods in which each version of the rules was active, start inclusive, end exclusive.';
create unique index rule_activation_open_idx on policy.rule_activation ((valid_to is null))
where valid_to is null;
create index rule_activation_version_idx on policy.rule_activation (version_id);
create index rule_activation_activated_by_idx on policy.rule_activation (activated_by);
