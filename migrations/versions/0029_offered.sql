-- Resources, templates and prompts are trusted as tools are: versions, approval, findings of the scan, snapshots.
-- One transaction with the service stopped or waiting, so locks and rewrites are no risk; callers of the dropped are changed with it.
-- squawk-ignore-file ban-drop-function, require-concurrent-index-creation, adding-field-with-default, adding-foreign-key-constraint, constraint-missing-not-valid
drop function if exists api.relay_begin(text, text, text, integer, text, uuid, text, timestamptz);
drop function if exists catalog.find_asset(text, text, text);
drop function if exists catalog.put_assets(bigint, text, jsonb);
drop function if exists api.store_assets(bigint, text, jsonb);
drop function if exists snapshots.manifest(text, timestamptz, integer, integer, integer, bytea);

alter table catalog.asset
add column version integer not null default 1,
add column status text not null default 'approved'
check (status in ('approved', 'pending', 'quarantined', 'deprecated')),
add column status_reason text not null default '',
add column status_at timestamptz not null default now(),
add column approved_version integer,
add column is_live boolean not null
generated always as (status = 'approved' and deprecated_at is null) stored;
create index asset_withheld_idx on catalog.asset (origin_id)
where status in ('pending', 'quarantined');
comment on column catalog.asset.version is 'Counts what a model reads of it: moments, sizes and icons make no version.';
comment on column catalog.asset.status is
'approved; pending: new or changed, waits for approval; quarantined: by the scan or an operator; deprecated: by an operator.';
comment on column catalog.asset.approved_version is 'The version that was approved last; null where none was.';
comment on column catalog.asset.is_live is 'Listed and read: approved, and its origin still offers it.';

create table catalog.asset_version (
    asset_id bigint not null references catalog.asset,
    version integer not null,
    valid_from timestamptz not null,
    valid_to timestamptz,
    definition jsonb not null,
    approved_at timestamptz,
    approved_by bigint references policy.principal,
    primary key (asset_id, version)
);
create unique index asset_version_open_idx on catalog.asset_version (asset_id)
where valid_to is null;
create index asset_version_approved_by_idx on catalog.asset_version (approved_by);
comment on table catalog.asset_version is 'What resources, templates and prompts have said of themselves.';
comment on column catalog.asset_version.definition is 'As listed by the origin when the version began.';
comment on column catalog.asset_version.approved_at is 'Since when it may be offered; null while it waits, or is in quarantine.';
comment on column catalog.asset_version.approved_by is 'Who looked at it and approved it; null where the origin''s approval let it in.';

create table catalog.asset_finding (
    asset_id bigint not null,
    version integer not null,
    rule text not null references catalog.scan_rule on delete cascade,
    member text not null,
    severity text not null check (severity in ('low', 'medium', 'high')),
    evidence text not null,
    found_at timestamptz not null,
    primary key (asset_id, version, rule, member),
    foreign key (asset_id, version) references catalog.asset_version
);
create index asset_finding_rule_idx on catalog.asset_finding (rule);
comment on table catalog.asset_finding is 'What the scan found in a version of a resource, template or prompt, and where.';

create table snapshots.asset_member (
    snapshot_id bigint not null references snapshots.snapshot on delete cascade,
    asset_id bigint not null,
    version integer not null,
    definition_hash bytea not null check (length(definition_hash) = 32),
    primary key (snapshot_id, asset_id),
    foreign key (asset_id, version) references catalog.asset_version
);
create index asset_member_version_idx on snapshots.asset_member (asset_id, version);
comment on table snapshots.asset_member is 'The resources, templates and prompts of each snapshot, each in the version that was offered.';

alter table snapshots.snapshot add column assets integer;
comment on column snapshots.snapshot.assets is 'How many resources, templates and prompts; null where it was made before they were kept.';
comment on column snapshots.snapshot.content_hash is
'SHA-256 over the lines "NAME HASH" of its tools and assets by name (byte order), HASH the SHA-256 of the definition in hexadecimal; the name of an asset has its kind and a space before it.';

alter table catalog.asset_version enable row level security;
alter table catalog.asset_version force row level security;
alter table catalog.asset_finding enable row level security;
alter table catalog.asset_finding force row level security;
alter table snapshots.asset_member enable row level security;
alter table snapshots.asset_member force row level security;

-- What was offered until now was approved by whoever added its origin.
update catalog.asset
set approved_version = version;
insert into catalog.asset_version (asset_id, version, valid_from, definition, approved_at)
select
    a.id,
    1 as version,
    a.first_seen_at as valid_from,
    a.definition,
    a.first_seen_at as approved_at
from catalog.asset as a;
