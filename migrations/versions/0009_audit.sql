-- Who changed what: a chain of hashes, its signatures, and where it was cut.

create schema audit;
comment on schema audit is 'Who changed what and when: append-only, each record bound to the one before by its hash.';

create table audit.record (
    id bigint not null check (id > 0),
    at timestamptz not null,
    transaction xid8 not null,
    login text not null,
    principal_id bigint,
    principal text,
    action text not null check (
        action in ('insert', 'update', 'delete', 'truncate', 'cut', 'sign')
    ),
    table_name text not null,
    object text,
    before jsonb,
    after jsonb,
    previous_hash bytea not null check (length(previous_hash) = 32),
    hash bytea not null check (length(hash) = 32),
    primary key (id, at)
) partition by range (at);
alter table audit.record enable row level security, force row level security;
comment on table audit.record is 'One change of one row, in the order of the commits, without a gap; a partition a month. Written by triggers and definer functions only.';
comment on column audit.record.login is 'Database role that logged in; qm_service for what came through the service.';
comment on column audit.record.principal_id is 'Who it was; null where the login is mapped to nobody. No reference: the record outlives the principal.';
comment on column audit.record.object is 'Name of the changed row.';
comment on column audit.record.before is 'The row before, of an update only what changed; secrets are told by the word hidden.';
comment on column audit.record.previous_hash is 'Hash of the record before; 32 zero bytes for the first.';
comment on column audit.record.hash is 'SHA-256 of previous_hash and the record as audit.canonical_text writes it.';

create table audit.chain (
    only_row boolean primary key default true check (only_row),
    transaction xid8 not null
);
alter table audit.chain enable row level security, force row level security;
comment on table audit.chain is 'One row: whoever has its lock may append. Names the transaction that last did.';

create table audit.cut (
    last_id bigint primary key,
    partition text not null,
    first_id bigint not null,
    last_hash bytea not null,
    cut_at timestamptz not null
);
alter table audit.cut enable row level security, force row level security;
comment on table audit.cut is 'Partitions that the retention time took: the chain goes on from the newest one''s last_hash.';

create table audit.signature (
    record_id bigint primary key,
    hash bytea not null check (length(hash) = 32),
    public_key bytea not null check (length(public_key) = 32),
    signature bytea not null check (length(signature) = 64),
    signed_at timestamptz not null
);
alter table audit.signature enable row level security, force row level security;
comment on table audit.signature is 'Heads of the chain, signed (Ed25519) by a service whose key the database does not have.';
create index signature_public_key_idx on audit.signature (public_key);
