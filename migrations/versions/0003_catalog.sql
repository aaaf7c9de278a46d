-- Origins, tools, versions of tools, and the refresh queue.
create table catalog.origin (
    id bigint generated always as identity primary key,
    name text not null unique check (name <> '' and length(name) <= 200),
    slug text not null unique check (
        slug ~ '^[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?$' and slug !~ '__' and length(slug) <= 24
    ),
    description text not null default '',
    transport text not null check (transport in ('stdio', 'http', 'sse', 'none')),
    command text[] not null default '{}',
    url text,
    cwd text,
    environment jsonb not null default '{}' check (jsonb_typeof(environment) = 'object'),
    headers jsonb not null default '{}' check (jsonb_typeof(headers) = 'object'),
    auth_reference text,
    tls jsonb not null default '{}' check (jsonb_typeof(tls) = 'object'),
    meta jsonb not null default '{}' check (jsonb_typeof(meta) = 'object'),
    status text not null default 'new' check (status in ('new', 'ready', 'failing', 'removed')),
    failure_class text,
    failure text,
    protocol_version text,
    server_info jsonb,
    instructions text,
    created_at timestamptz not null default now(),
    refreshed_at timestamptz,
    constraint origin_transport_complete check (
        case transport
            when 'stdio' then cardinality(command) > 0
            when 'none' then true
            else url ~ '^https?://'
        end
    )
);
comment on table catalog.origin is 'Upstream MCP servers; transport none is a catalog entry without a way to call it.';
comment on column catalog.origin.slug is 'First part of callable names; given once, never changed.';
comment on column catalog.origin.environment is 'Variable name to secret locator (secret:NAME, env:NAME); never a value.';
comment on column catalog.origin.headers is 'HTTP header name to secret locator; never a value.';
comment on column catalog.origin.auth_reference is 'Locator of the bearer credential for this origin, or null.';

create table catalog.tool (
    id bigint generated always as identity primary key,
    origin_id bigint not null references catalog.origin,
    name text not null check (name <> '' and length(name) <= 512),
    callable_name text not null unique check (callable_name ~ '^[A-Za-z0-9_-]{1,64}$'),
    version integer not null default 1 check (version > 0),
    title text,
    brief text not null default '',
    description text not null default '',
    input_schema jsonb not null,
    output_schema jsonb,
    annotations jsonb not null default '{}',
    categories text[] not null default '{}',
    examples jsonb not null default '[]',
    extra jsonb not null default '{}',
    content_hash bytea not null,
    first_seen_at timestamptz not null default now(),
    last_seen_at timestamptz not null default now(),
    deprecated_at timestamptz,
    unique (origin_id, name)
);
comment on table catalog.tool is 'The current version of every tool ever offered by an origin.';
comment on column catalog.tool.extra is 'Members of the upstream definition that have no column of their own (icons, _meta, execution), kept whole.';
comment on column catalog.tool.content_hash is 'SHA-256 of name, title, description, schemas, annotations and extra.';
comment on column catalog.tool.deprecated_at is 'Since when the origin no longer offers it; such a tool is neither found nor called.';

create table catalog.tool_version (
    tool_id bigint not null references catalog.tool,
    version integer not null,
    valid_from timestamptz not null,
    valid_to timestamptz check (valid_to >= valid_from),
    content_hash bytea not null,
    definition jsonb not null,
    primary key (tool_id, version)
);
create unique index tool_version_current_idx on catalog.tool_version (tool_id)
where valid_to is null;
comment on table catalog.tool_version is 'What each tool looked like when: one row a version, valid from (inclusive) to (exclusive).';

create table catalog.refresh (
    id bigint generated always as identity primary key,
    origin_id bigint not null references catalog.origin,
    requested_at timestamptz not null default now(),
    started_at timestamptz,
    finished_at timestamptz,
    status text not null default 'requested'
    check (status in ('requested', 'running', 'done', 'failed')),
    instance_id uuid,
    added integer not null default 0,
    changed integer not null default 0,
    unchanged integer not null default 0,
    deprecated integer not null default 0,
    rejected jsonb not null default '[]',
    failure_class text,
    failure text,
    constraint refresh_times_match_status check (
        (status = 'requested') = (started_at is null)
        and (status in ('done', 'failed')) = (finished_at is not null)
    )
);
create index refresh_origin_idx on catalog.refresh (origin_id, requested_at desc);
create unique index refresh_open_idx on catalog.refresh (origin_id)
where status in ('requested', 'running');
comment on table catalog.refresh is 'Queue and record of reading an origin''s tool list; at most one open row an origin.';
comment on column catalog.refresh.rejected is 'Tools that were left out: array of {name, reason}.';

alter table catalog.origin enable row level security;
alter table catalog.origin force row level security;
alter table catalog.tool enable row level security;
alter table catalog.tool force row level security;
alter table catalog.tool_version enable row level security;
alter table catalog.tool_version force row level security;
alter table catalog.refresh enable row level security;
alter table catalog.refresh force row level security;
