-- Settings, capabilities, the error registry, releases, processes of the service, and the schema that clients call.
-- sql/admin.sql creates the schemas `core` and `ext`, because the table of applied migrations and the extensions need
-- them earlier.

comment on schema core is
'Capabilities, settings, the error registry, instances of the service and the clock. It depends on no other schema.';
create schema api;
comment on schema api is 'The only schema that clients and the service call: typed functions with named arguments.';

create table core.setting (
    name text primary key,
    value jsonb not null,
    description text not null
);
alter table core.setting enable row level security, force row level security;
comment on table core.setting is 'Settings: limits and defaults that functions read. Each setting has one row.';

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
alter table core.capability enable row level security, force row level security;
comment on table core.capability is
'The optional features of this database server, as detected at installation. qm doctor shows them.';
comment on column core.capability.stand_in is 'What replaces the capability if the capability is missing.';
comment on column core.capability.reason is
'Why the capability is missing, and what to do about it; null if the capability is installed.';

create table core.error_code (
    slug text primary key check (slug ~ '^[a-z][a-z_]*$'),
    status integer not null check (status between 400 and 599),
    meaning text not null,
    next_step text not null,
    retryable boolean not null default false
);
alter table core.error_code enable row level security, force row level security;
comment on table core.error_code is
'Registry of errors: SQLSTATE is QM followed by status, the slug is sent in the constraint field, and next_step is '
'the default hint.';

create table core.release (
    version text primary key,
    git_sha text,
    digest text not null,
    installed_at timestamptz not null default now()
);
alter table core.release enable row level security, force row level security;
comment on table core.release is
'All versions of Quartermaster that were ever installed in this database. The newest row is the current version.';
comment on column core.release.digest is
'SHA-256 over all SQL files that were applied. qm up skips the installation if nothing changed.';

create table core.instance (
    id uuid primary key,
    kind text not null check (kind in ('up', 'stdio')),
    version text not null,
    pid integer not null,
    installing integer not null default 0
    check (installing >= 0),
    started_at timestamptz not null default now(),
    seen_at timestamptz not null default now()
);
alter table core.instance enable row level security, force row level security;
comment on table core.instance is
'Service processes that are running, according to their heartbeats. Other processes take over the work of a dead '
'process.';
comment on column core.instance.installing is
'Number of servers that the process is installing and that will become origins.';

create table core.version (
    name text primary key,
    value bigint not null
);
alter table core.version enable row level security, force row level security;
comment on table core.version is
'Counters of changes. Each counter is named after the data that it covers, and increases whenever the data change. A '
'result that was found at a lower count is out of date.';

create table core.kind_folder (
    name text primary key,
    digest text not null,
    migrations jsonb not null check (jsonb_typeof(migrations) = 'object')
);
alter table core.kind_folder enable row level security, force row level security;
comment on table core.kind_folder is
'Folders that contain a user''s own kinds of card, and the migrations in each folder that have been run.';
comment on column core.kind_folder.digest is
'SHA-256 over all files in the folder when the files were last applied, in hexadecimal.';
comment on column core.kind_folder.migrations is 'The SHA-256 of each migration that was run, by file name.';
