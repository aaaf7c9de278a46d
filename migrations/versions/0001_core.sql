-- Every schema of Quartermaster and the tables everything else stands on.
-- `core` itself and `ext` are made by sql/admin.sql, because the ledger and the extensions need them first.
create schema policy;
create schema catalog;
create schema search;
create schema selection;
create schema calls;
create schema api;

comment on schema core is 'Capabilities, settings, the error registry, instances of the service and the clock. Depends on nothing.';
comment on schema policy is 'Principals, their keys, and the one predicate that decides what a principal may see.';
comment on schema catalog is 'Origins (upstream servers), their tools, every version of a tool, and the refresh queue.';
comment on schema search is 'The one retrieval engine over cards of every kind: lexical, dense, fuzzy and their fusion.';
comment on schema selection is 'Modes, receipts of what was asked and offered, and the tools exposed to a session.';
comment on schema calls is 'The log of calls relayed to upstream servers.';
comment on schema api is 'The only schema that clients and the service call: typed functions with named arguments.';

create table core.setting (
    name text primary key,
    value jsonb not null,
    description text not null
);
comment on table core.setting is 'Limits and defaults that functions read; one row a setting.';

create table core.capability (
    name text primary key,
    available boolean not null,
    installed boolean not null,
    required boolean not null,
    version text,
    used_for text not null,
    stand_in text not null,
    reason text,
    probed_at timestamptz not null default now()
);
comment on table core.capability is 'What this database server can do, as probed at installation; shown by qm doctor.';
comment on column core.capability.stand_in is 'What does the work where the capability is absent.';
comment on column core.capability.reason is 'Why it is absent, and what to do about it; null where it is installed.';

create table core.error_code (
    slug text primary key check (slug ~ '^[a-z][a-z_]*$'),
    status integer not null check (status between 400 and 599),
    meaning text not null,
    next_step text not null,
    retryable boolean not null default false
);
comment on table core.error_code is 'Registry of errors: SQLSTATE is QM followed by status, the slug travels in the constraint field, next_step is the default hint.';

create table core.release (
    version text primary key,
    git_sha text,
    digest text not null,
    installed_at timestamptz not null default now()
);
comment on column core.release.digest is 'SHA-256 over all SQL files that were applied; qm up skips an installation that would apply the same.';
comment on table core.release is 'Versions of Quartermaster ever installed here; the newest row is the running one.';

create table core.instance (
    id uuid primary key,
    kind text not null check (kind in ('up', 'stdio')),
    version text not null,
    pid integer not null,
    started_at timestamptz not null default now(),
    seen_at timestamptz not null default now()
);
comment on table core.instance is 'Running processes of the service, by heartbeat; work of a process that is gone is taken up again.';

alter table core.setting enable row level security;
alter table core.setting force row level security;
alter table core.capability enable row level security;
alter table core.capability force row level security;
alter table core.error_code enable row level security;
alter table core.error_code force row level security;
alter table core.release enable row level security;
alter table core.release force row level security;
alter table core.instance enable row level security;
alter table core.instance force row level security;
