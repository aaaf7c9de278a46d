-- Snapshots of the catalog: which versions of which items were offered, and which rules were active.

create schema snapshots;

create table snapshots.snapshot (
    id bigint generated always as identity primary key,
    name text not null unique check (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$'),
    note text not null default '',
    is_regular boolean not null default false,
    created_at timestamptz not null,
    created_by bigint not null references policy.principal,
    rule_version_id integer not null references policy.rule_version,
    origins integer not null,
    items jsonb not null check (jsonb_typeof(items) = 'object'),
    content_hash bytea not null check (length(content_hash) = 32),
    manifest text not null,
    public_key bytea check (length(public_key) = 32),
    signature bytea check (length(signature) = 64),
    artifact text,
    artifact_hash bytea check (length(artifact_hash) = 32),
    artifact_bytes bigint,
    artifact_url text check (artifact_url ~ '^[a-z0-9+]+://[^?#@]+$'),
    constraint snapshot_sealed_at_once check (
        num_nulls(public_key, signature, artifact, artifact_hash, artifact_bytes) in (0, 5)
    )
);
alter table snapshots.snapshot enable row level security, force row level security;
comment on table snapshots.snapshot is
'Snapshots of the catalog. Each row describes the catalog as it was offered at one time.';
comment on column snapshots.snapshot.is_regular is
'Whether the snapshot was taken by the job "snapshot", which also deletes old snapshots of this type.';
comment on column snapshots.snapshot.items is 'Number of items of each kind: {kind: count}.';
comment on column snapshots.snapshot.content_hash is
'SHA-256 over the lines "KIND NAME HASH" of its items, sorted by kind and public name (byte order); HASH is the '
'SHA-256 of the definition in hexadecimal.';
comment on column snapshots.snapshot.manifest is
'The exact text that is signed: a JSON object with name, time, counts and content hash.';
comment on column snapshots.snapshot.signature is
'Ed25519 signature of the manifest (see api.seal_snapshot); null while the snapshot is not sealed.';
comment on column snapshots.snapshot.artifact is
'File in the data directory of the service: the snapshot as an SQLite database with full-text search.';
comment on column snapshots.snapshot.artifact_url is
'URL of a copy of the artifact, without credentials; null if there is no such copy.';
create index snapshot_created_by_idx on snapshots.snapshot (created_by);
create index snapshot_rule_version_idx on snapshots.snapshot (rule_version_id);

create table snapshots.member (
    snapshot_id bigint not null references snapshots.snapshot on delete cascade,
    item_id bigint not null,
    version integer not null,
    definition_hash bytea not null check (length(definition_hash) = 32),
    primary key (snapshot_id, item_id),
    foreign key (item_id, version) references catalog.item_version
);
alter table snapshots.member enable row level security, force row level security;
create index member_item_version_idx on snapshots.member (item_id, version);
comment on table snapshots.member is 'The items of each snapshot, each in the version that was offered.';

create table snapshots.activation (
    id bigint generated always as identity primary key,
    snapshot_id bigint not null references snapshots.snapshot on delete cascade,
    undo_id bigint not null references snapshots.snapshot on delete cascade,
    activated_at timestamptz not null,
    activated_by bigint not null references policy.principal
);
alter table snapshots.activation enable row level security, force row level security;
comment on table snapshots.activation is
'Activations: when the catalog was restored, and to which snapshot.';
comment on column snapshots.activation.undo_id is
'The snapshot that was taken just before the activation. Activating that snapshot undoes this activation.';
create index activation_snapshot_idx on snapshots.activation (snapshot_id);
create index activation_undo_idx on snapshots.activation (undo_id);
create index activation_activated_by_idx on snapshots.activation (activated_by);
