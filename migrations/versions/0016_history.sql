-- Versions of origins, what was offered when, and which rules held when, as range rows.
-- One transaction with the service stopped or waiting, so locks are no risk; callers of the dropped are changed with it.
-- squawk-ignore-file ban-drop-function
drop function if exists api.select_tools(text, text, integer, ext.vector, integer, boolean);
drop function if exists api.search_tools(
    text, text, integer, ext.vector, text, jsonb, integer, boolean
);
drop function if exists api.list_origins();
drop function if exists api.list_tools(text, text, integer);
drop function if exists api.show_rules(integer);

create table catalog.offer (
    id bigint generated always as identity primary key,
    tool_id bigint not null references catalog.tool on delete cascade,
    version integer not null,
    valid_from timestamptz not null,
    valid_to timestamptz check (valid_to > valid_from)
);
create unique index offer_open_idx on catalog.offer (tool_id) where valid_to is null;
create index offer_tool_version_idx on catalog.offer (tool_id, version);
comment on table catalog.offer is 'When which version of a tool was found and called: approved, and offered by its origin; from (inclusive) to (exclusive).';
comment on column catalog.offer.valid_to is 'Null while it is offered.';

insert into catalog.offer (tool_id, version, valid_from, valid_to)
select
    v.tool_id,
    v.version,
    v.approved_at as valid_from,
    coalesce(
        v.valid_to, case when not t.is_live then coalesce(t.deprecated_at, t.status_at) end
    ) as valid_to
from catalog.tool_version as v
inner join catalog.tool as t on t.id = v.tool_id
where
    coalesce(v.valid_to, t.deprecated_at, t.status_at) > v.approved_at
    or (t.is_live and v.valid_to is null);

create table catalog.origin_version (
    origin_id bigint not null references catalog.origin,
    version integer not null check (version > 0),
    valid_from timestamptz not null,
    valid_to timestamptz check (valid_to >= valid_from),
    name text not null,
    description text not null,
    transport text not null,
    approval text,
    is_removed boolean not null,
    connection jsonb not null check (jsonb_typeof(connection) = 'object'),
    primary key (origin_id, version)
);
create unique index origin_version_current_idx on catalog.origin_version (origin_id)
where valid_to is null;
comment on table catalog.origin_version is 'What each origin was when: one row a version, valid from (inclusive) to (exclusive).';
comment on column catalog.origin_version.connection is 'command, url, cwd, environment, headers, auth_reference, tls and meta; secrets as locators only.';

insert into catalog.origin_version (
    origin_id, version, valid_from, name, description, transport, approval, is_removed, connection
)
select
    o.id,
    1 as version,
    o.created_at,
    o.name,
    o.description,
    o.transport,
    o.approval,
    o.status = 'removed' as is_removed,
    jsonb_build_object(
        'command', o.command, 'url', o.url, 'cwd', o.cwd, 'environment', o.environment,
        'headers', o.headers, 'auth_reference', o.auth_reference, 'tls', o.tls, 'meta', o.meta
    ) as connection
from catalog.origin as o;

create table policy.rule_activation (
    id bigint generated always as identity primary key,
    version_id integer not null references policy.rule_version,
    valid_from timestamptz not null,
    valid_to timestamptz check (valid_to >= valid_from),
    activated_by bigint references policy.principal
);
create unique index rule_activation_open_idx on policy.rule_activation ((valid_to is null))
where valid_to is null;
create index rule_activation_version_idx on policy.rule_activation (version_id);
create index rule_activation_activated_by_idx on policy.rule_activation (activated_by);
comment on table policy.rule_activation is 'Which version of the rules held when, from (inclusive) to (exclusive).';

insert into policy.rule_activation (version_id, valid_from, activated_by)
select
    v.id,
    v.activated_at,
    v.activated_by
from policy.rule_version as v
where v.is_active;

alter table catalog.offer enable row level security;
alter table catalog.offer force row level security;
alter table catalog.origin_version enable row level security;
alter table catalog.origin_version force row level security;
alter table policy.rule_activation enable row level security;
alter table policy.rule_activation force row level security;

-- Regular snapshots, and artifacts in an object store.
drop function if exists api.list_snapshots();
drop function if exists api.drop_snapshot(text, boolean);
alter table snapshots.snapshot
add column is_regular boolean not null default false,
add column artifact_url text check (artifact_url ~ '^[a-z0-9+]+://[^?#@]+$');
comment on column snapshots.snapshot.is_regular is 'Made by the job snapshot, which also forgets it.';
comment on column snapshots.snapshot.artifact_url is 'Where else the artifact is, without credentials; null where it is nowhere else.';

-- Where probes run.
drop function if exists api.claim_probes(integer);
drop function if exists api.store_probe(bigint, integer, boolean, text);
alter table calls.probe
add column sandbox text not null default 'none' check (sandbox in ('bwrap', 'limits', 'none'));
comment on column calls.probe.sandbox is
'bwrap: no network, nothing to write but a throw-away home; limits: the home, and limits of processor, memory and files; none: an upstream on another machine.';
