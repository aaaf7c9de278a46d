-- Records of who changed what: a chain of hashes, its signatures, and the parts that were deleted.

create schema audit;
comment on schema audit is
'Records of who changed what and when. Records can be added but not changed, and each record contains the hash of the '
'record before it.';

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
comment on table audit.record is
'Audit records, one for each change of a row. Ids follow the order of commits without gaps. There is one partition for '
'each month. Only triggers and security definer functions write to this table.';
comment on column audit.record.login is
'The database role that logged in; qm_service if the change was made through the service.';
comment on column audit.record.principal_id is
'The principal who made the change; null if the login role is not mapped to a principal. It is not a foreign key, '
'because the record is kept after the principal has been deleted.';
comment on column audit.record.object is 'Name of the changed row.';
comment on column audit.record.before is
'The row before the change; for an update, only the columns that changed. A secret value is replaced by the word '
'''hidden''.';
comment on column audit.record.previous_hash is
'Hash of the previous record; 32 zero bytes for the first record.';
comment on column audit.record.hash is 'SHA-256 of previous_hash and the record as audit.canonical_text writes it.';

create table audit.chain (
    only_row boolean primary key default true check (only_row),
    transaction xid8 not null
);
alter table audit.chain enable row level security, force row level security;
comment on table audit.chain is
'The end of the chain, in a single row. A transaction must lock this row before it appends a record. The row names the '
'last transaction that appended a record.';

create table audit.cut (
    last_id bigint primary key,
    partition text not null,
    first_id bigint not null,
    last_hash bytea not null,
    cut_at timestamptz not null
);
alter table audit.cut enable row level security, force row level security;
comment on table audit.cut is
'Partitions that were dropped after their retention time. The chain continues from the last_hash of the newest of '
'these partitions.';

create table audit.signature (
    record_id bigint primary key,
    hash bytea not null check (length(hash) = 32),
    public_key bytea not null check (length(public_key) = 32),
    signature bytea not null check (length(signature) = 64),
    signed_at timestamptz not null
);
alter table audit.signature enable row level security, force row level security;
comment on table audit.signature is
'Signatures (Ed25519) of the record that was the newest one at the time of signing. The service signs with a key that '
'is not in the database.';
create index signature_public_key_idx on audit.signature (public_key);
