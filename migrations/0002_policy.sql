-- Principals and their keys; rules, their versions and the rights that result; decisions.

create schema policy;
comment on schema policy is
'Principals, their keys, and the only predicate that decides what a principal may see.';

create type policy.item as (
    ref bigint, kind text, origin text, name text, categories text[], traits text[] -- noqa: LT01
);
comment on type policy.item is
'A card or an origin to which rules can refer, with a reference number that the caller of the function chooses.';

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
comment on table policy.principal is 'Principals: the people, agents and services that may use Quartermaster.';
comment on column policy.principal.organisation_id is
'The organisation of the principal; null if the principal belongs to none.';
comment on column policy.principal.database_role is
'Login role whose psql sessions act as this principal; null if the principal uses only the service.';
comment on column policy.principal.is_curator is
'Whether the principal may curate lookup tables; operators and administrators always may.';
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
comment on table policy.api_key is
'Bearer keys. Only the SHA-256 of each key is stored; people recognise a key by its prefix.';
comment on column policy.api_key.last_used_at is 'Time of the last use, accurate to the minute.';
create index api_key_principal_idx on policy.api_key (principal_id);
create unique index api_key_live_label_idx on policy.api_key (principal_id, label)
where revoked_at is null;

-- Each row describes a set of cards, and all rules for the same set share the row. A column that is null imposes no
-- restriction.
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
'Descriptions of sets of cards, as rules and toolsets use them. A card matches a description if it matches every given '
'member. It matches a member if it matches one of the member''s values.';
comment on column policy.matcher.digest is 'SHA-256 of the column object.';
comment on column policy.matcher.object is 'The description as its author wrote it, in JSON.';
comment on column policy.matcher.origins is 'Names of origins, with * for any characters and ? for one character.';
comment on column policy.matcher.names is
'Names of cards, with * for any characters and ? for one character. The name of a tool is its callable name.';

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
'Versions of the rules. A version never changes, and exactly one version is active.';
comment on column policy.rule_version.default_effect is 'Effect for a card that matches no rule.';
comment on column policy.rule_version.guardrails is
'What happens to the results of tools: an array of {subject, origins, instructions, personal, secrets, result_bytes}. '
'For each member, the first entry that matches and contains the member decides (policy.guardrails_of).';
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
'Rules: which subjects may or may not use which cards. A rule that denies takes precedence over a rule that allows, '
'and both take precedence over the default of the version.';
comment on column policy.rule.subject is
'To whom the rule applies: everyone, role:ROLE, organisation:NAME, principal:NAME or toolset:NAME.';
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
'Toolsets. Each toolset is an endpoint, /mcp/NAME. Through a toolset, a principal sees only the pinned cards, and of '
'these only the cards that it may see anyway.';
comment on column policy.toolset.matcher_id is 'The description of the pinned cards, in policy.matcher.';
create index toolset_matcher_idx on policy.toolset (matcher_id);

-- Cards that match the same matchers belong to one rights class, so that rights are computed once for each class
-- instead of for each card.
create table policy.rights_class (
    id integer primary key check (id >= 0),
    matchers integer[] not null,
    constraint rights_class_matchers_key exclude using hash (matchers with =)
);
alter table policy.rights_class enable row level security, force row level security;
comment on table policy.rights_class is
'Rights classes of cards. All cards of a class match the same matchers in the active version and in the toolsets. '
'Cards of class 0 match no matcher.';

create table policy.subject_rights (
    subject text primary key,
    allows bit varying not null,
    denies bit varying not null,
    pins bit varying not null
);
alter table policy.subject_rights enable row level security, force row level security;
comment on table policy.subject_rights is
'The rights that the active rules give to each subject: one bit for each rights class. The function '
'policy.refresh_rights writes this table.';

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
'Denied calls and descriptions, and allowed reads, with the rule that decided. Allowed calls are recorded in '
'calls.call.';
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
'Which principal each subject belongs to. A token that an issuer gives to a subject acts as the principal of that '
'subject.';
comment on column policy.identity.subject is
'Value of the token''s claim that the setting auth.oidc.subject_claim names.';
comment on column policy.identity.claimed_at is
'The time at which the newest known token was issued. An older token does not change the role and organisation that '
'the newest token set.';

create table policy.rule_activation (
    id bigint generated always as identity primary key,
    version_id integer not null references policy.rule_version,
    valid_from timestamptz not null,
    valid_to timestamptz check (valid_to >= valid_from),
    activated_by bigint references policy.principal
);
alter table policy.rule_activation enable row level security, force row level security;
comment on table policy.rule_activation is
'The periods in which each version of the rules was active. The start belongs to the period, and the end does not.';
create unique index rule_activation_open_idx on policy.rule_activation ((valid_to is null))
where valid_to is null;
create index rule_activation_version_idx on policy.rule_activation (version_id);
create index rule_activation_activated_by_idx on policy.rule_activation (activated_by);
