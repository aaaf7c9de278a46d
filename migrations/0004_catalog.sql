-- Origins, their items, every version of both, and the refresh queue.

create schema catalog;
comment on schema catalog is 'Origins (upstream servers), their items, every version of both, and the refresh queue.';

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
    auth jsonb not null default '{}' check (jsonb_typeof(auth) = 'object'),
    auth_reference text,
    tls jsonb not null default '{}' check (jsonb_typeof(tls) = 'object'),
    sandbox jsonb not null default '{}' check (jsonb_typeof(sandbox) = 'object'),
    meta jsonb not null default '{}' check (jsonb_typeof(meta) = 'object'),
    revision integer not null default 1,
    approval text check (approval in ('none', 'changes', 'all')),
    rights_class integer not null default 0,
    status text not null default 'new' check (status in ('new', 'ready', 'failing', 'removed')),
    failure_class text,
    failure text,
    protocol_version text,
    server_info jsonb,
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
alter table catalog.origin enable row level security, force row level security;
comment on table catalog.origin is
'Upstream MCP servers. The transport "none" marks a catalog entry that cannot be called.';
comment on column catalog.origin.slug is 'First part of the callable names of its tools. A slug never changes.';
comment on column catalog.origin.environment is
'Maps the name of each environment variable to a secret locator (secret:NAME, env:NAME), never to a value.';
comment on column catalog.origin.headers is
'Maps the name of each HTTP header to a secret locator, never to a value.';
comment on column catalog.origin.auth is
'How requests to the origin are authorised: grant (authorization_code, client_credentials, signed), per_principal, '
'scope, client_id, client_secret (a locator), issuer, audience, lifetime_s. If the object is empty ({}), only '
'auth_reference and headers are used.';
comment on column catalog.origin.auth_reference is 'Locator of the bearer credential for this origin, or null.';
comment on column catalog.origin.sandbox is
'What a stdio server may see: folders ([{path, write}], granted by administrators) and network (internet, none, host; '
'default: internet).';
comment on column catalog.origin.revision is
'Number of times that the origin was defined. A new definition ends connections that were opened with the previous '
'definition.';
comment on column catalog.origin.approval is
'Which versions of the origin''s items wait for approval. none: no versions; changes: changed items; all: new and '
'changed items; null: as the setting catalog.approval says.';
comment on column catalog.origin.rights_class is
'Id of the rights class in policy.rights_class. Triggers keep it up to date.';

create table catalog.allowance (
    id bigint generated always as identity primary key,
    kind text not null check (kind in ('program', 'environment', 'secret', 'network')),
    value text not null,
    origin text,
    allowed_at timestamptz not null default now(),
    allowed_by bigint references policy.principal on delete set null,
    constraint allowance_key unique nulls not distinct (kind, value, origin)
);
alter table catalog.allowance enable row level security, force row level security;
create index allowance_allowed_by_idx on catalog.allowance (allowed_by);
comment on table catalog.allowance is
'What administrators have allowed: programs, environment values and secrets that operators may give to origins, and '
'addresses that are not public to which origins may connect.';
comment on column catalog.allowance.value is
'The program with its arguments as a JSON array, the locator of the environment value or secret, or the network.';
comment on column catalog.allowance.origin is
'Name of the only origin to which this applies; null: all origins.';

create table catalog.item (
    id bigint generated always as identity primary key,
    origin_id bigint not null references catalog.origin,
    kind text not null references search.kind,
    name text not null check (name <> '' and length(name) <= 2000),
    public_name text not null,
    version integer not null default 1 check (version > 0),
    definition jsonb not null check (jsonb_typeof(definition) = 'object'),
    content_hash bytea not null,
    brief text not null default '',
    categories text[] not null default '{}',
    traits text[],
    status text not null default 'approved'
    check (status in ('approved', 'pending', 'quarantined', 'deprecated')),
    status_reason text not null default '',
    status_at timestamptz not null default now(),
    approved_version integer,
    downrank real not null default 0 check (downrank between 0 and 1),
    downrank_reason text not null default '',
    dishonesty real not null default 0 check (dishonesty between 0 and 1),
    first_seen_at timestamptz not null default now(),
    last_seen_at timestamptz not null default now(),
    deprecated_at timestamptz,
    rights_class integer not null default 0,
    is_live boolean not null
    generated always as (status = 'approved' and deprecated_at is null) stored,
    -- Characters that look alike: Cyrillic, Greek and full-width letters (Unicode Technical Standard 39), and digits.
    skeleton text not null generated always as (
        regexp_replace(
            translate(
                lower(normalize(left(name, 200), nfkc)),
                'аеорсухіјѕһԁԛԝαεοριυνκ10|5', 'aeopcyxijshdqwaeopiuvklols'
            ), '[^[:alnum:]]+', '', 'g'
        )
    ) stored,
    constraint item_name_key unique (origin_id, kind, name),
    constraint item_public_name_key unique (kind, public_name)
);
alter table catalog.item enable row level security, force row level security;
create index item_skeleton_idx on catalog.item (skeleton);
create index item_withheld_idx on catalog.item (origin_id)
where status in ('pending', 'quarantined');
comment on table catalog.item is 'Everything that origins offer, of any kind, in the newest version.';
comment on column catalog.item.name is
'Name of the item at its origin: the name of a tool or prompt, a URI, or a URI template.';
comment on column catalog.item.public_name is
'Name that clients use for the item (search.kind.naming). This name never changes.';
comment on column catalog.item.definition is 'The definition as its origin lists it, in the form of its kind.';
comment on column catalog.item.content_hash is
'SHA-256 of the part of the definition that makes a version (search.kind.version_function).';
comment on column catalog.item.brief is 'The first sentence of the item''s description.';
comment on column catalog.item.categories is 'Labels that rules can name.';
comment on column catalog.item.traits is
'The traits of the item: read_only, destructive, or neither; null if its kind has no such traits.';
comment on column catalog.item.status is
'approved; pending: new or changed, and waiting for approval; quarantined: put into quarantine by the scan or an '
'operator; deprecated: taken out of use by an operator.';
comment on column catalog.item.approved_version is
'The version that was approved last; null if no version was approved.';
comment on column catalog.item.downrank is
'Amount that an operator subtracts from the utility of the item: 0 subtracts nothing, 1 puts the item last.';
comment on column catalog.item.dishonesty is
'Amount that failed probes subtract from the utility of the item; 0 subtracts nothing. See calls.judge_probes.';
comment on column catalog.item.deprecated_at is
'Time from which the origin no longer offers the item. Such an item can be neither found nor used.';
comment on column catalog.item.rights_class is
'Id of the rights class in policy.rights_class. Triggers keep it up to date.';
comment on column catalog.item.is_live is
'Whether the item can be found and used, which means that it is approved and its origin offers it.';
comment on column catalog.item.skeleton is
'The item''s name reduced to letters and digits; of characters that look alike, only one is used.';

create table catalog.item_version (
    item_id bigint not null references catalog.item,
    version integer not null,
    valid_from timestamptz not null,
    valid_to timestamptz check (valid_to >= valid_from),
    content_hash bytea not null,
    definition jsonb not null,
    approved_at timestamptz,
    approved_by bigint references policy.principal,
    primary key (item_id, version)
);
alter table catalog.item_version enable row level security, force row level security;
create unique index item_version_current_idx on catalog.item_version (item_id)
where valid_to is null;
create index item_version_approved_by_idx on catalog.item_version (approved_by);
comment on table catalog.item_version is
'The versions of each item, each with the period in which it was valid. The start belongs to the period, and the end '
'does not.';
comment on column catalog.item_version.definition is 'The definition as it was when the version began.';
comment on column catalog.item_version.content_hash is
'SHA-256 of the part of the definition that makes a version, as in catalog.item.';
comment on column catalog.item_version.approved_at is
'Time from which the version may be offered; null while the version is waiting for approval or is in quarantine.';
comment on column catalog.item_version.approved_by is
'The principal who approved the version; null if the approval setting of the origin did not require approval.';

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
    withheld integer not null default 0,
    rejected jsonb not null default '[]',
    failure_class text,
    failure text,
    constraint refresh_times_match_status check (
        (status = 'requested') = (started_at is null)
        and (status in ('done', 'failed')) = (finished_at is not null)
    )
);
alter table catalog.refresh enable row level security, force row level security;
comment on table catalog.refresh is
'Queue and log of refreshes. Each origin has at most one refresh that is waiting or running.';
comment on column catalog.refresh.withheld is
'How many of the added and changed items wait for approval or are in quarantine.';
comment on column catalog.refresh.rejected is 'Definitions that could not be stored: array of {kind, name, reason}.';
create index refresh_origin_idx on catalog.refresh (origin_id, requested_at desc);
create unique index refresh_open_idx on catalog.refresh (origin_id)
where status in ('requested', 'running');
comment on column catalog.refresh.deprecated is
'Number of items that the origin no longer listed.';

create table catalog.scan_rule (
    name text primary key check (name ~ '^[a-z][a-z_]{0,40}$'),
    attack text not null,
    severity text not null check (severity in ('low', 'medium', 'high')),
    meaning text not null,
    members text[] not null default '{}',
    words text not null default '',
    pattern text,
    enabled boolean not null default true
);
alter table catalog.scan_rule enable row level security, force row level security;
comment on table catalog.scan_rule is
'Rules that the scan applies to definitions. One finding of high severity, or two findings of medium severity for '
'different attacks, put an item into quarantine.';
comment on column catalog.scan_rule.attack is 'Class of attack, by its published name.';
comment on column catalog.scan_rule.members is
'Members of a definition to which the rule applies; empty for all members.';
comment on column catalog.scan_rule.words is
'Regular expression of plain words. Every match of the pattern contains at least one of these words, so the words are '
'tested first, which is quick.';
comment on column catalog.scan_rule.pattern is
'Regular expression, case-insensitive; null if a function decides (catalog.scan_imitation, catalog.scan_duplicates).';

create table catalog.finding (
    item_id bigint not null,
    version integer not null,
    rule text not null references catalog.scan_rule on delete cascade,
    member text not null,
    severity text not null check (severity in ('low', 'medium', 'high')),
    evidence text not null,
    found_at timestamptz not null,
    primary key (item_id, version, rule, member),
    foreign key (item_id, version) references catalog.item_version
);
alter table catalog.finding enable row level security, force row level security;
create index finding_rule_idx on catalog.finding (rule);
comment on table catalog.finding is 'Findings of the scan: what the scan found in which version of an item.';
comment on column catalog.finding.evidence is
'The matching text with its surroundings; invisible characters are written as <U+XXXX>.';

create table catalog.offer (
    id bigint generated always as identity primary key,
    item_id bigint not null references catalog.item on delete cascade,
    version integer not null,
    valid_from timestamptz not null,
    valid_to timestamptz check (valid_to > valid_from)
);
alter table catalog.offer enable row level security, force row level security;
create unique index offer_open_idx on catalog.offer (item_id) where valid_to is null;
create index offer_item_version_idx on catalog.offer (item_id, version);
comment on table catalog.offer is
'The periods in which each version of an item could be found and used. The start belongs to the period, and the end '
'does not.';
comment on column catalog.offer.valid_to is 'End of the period; null while the version is still offered.';

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
alter table catalog.origin_version enable row level security, force row level security;
comment on table catalog.origin_version is
'The versions of each origin, each with the period in which it was valid. The start belongs to the period, and the end '
'does not.';
comment on column catalog.origin_version.connection is
'How to reach the origin: command, url, cwd, environment, headers, auth_reference, tls, meta and auth, with locators '
'in place of secrets.';
create unique index origin_version_current_idx on catalog.origin_version (origin_id)
where valid_to is null;
