-- Use of keys, identities of a token issuer, and the audit chain.
-- One transaction with the service stopped or waiting, so locks are no risk; callers of the dropped are changed with it.
-- squawk-ignore-file ban-drop-function
drop function if exists api.put_key(text, text, text, bytea, timestamptz);

alter table policy.api_key add column last_used_at timestamptz;
comment on column policy.api_key.last_used_at is 'When it last let somebody in, to the minute.';

create table policy.identity (
    issuer text not null,
    subject text not null,
    principal_id bigint not null unique references policy.principal on delete cascade,
    claimed_at timestamptz,
    primary key (issuer, subject)
);
comment on table policy.identity is 'Whose tokens act as a principal: the subject that an issuer knows it by.';
comment on column policy.identity.subject is 'Value of the claim auth.oidc.subject_claim.';
comment on column policy.identity.claimed_at is 'When the newest token seen was issued: what it says of role and organisation is not taken back by an older one.';
alter table policy.identity enable row level security;
alter table policy.identity force row level security;

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
comment on table audit.chain is 'One row: whoever has its lock may append. Names the transaction that last did.';

create table audit.cut (
    last_id bigint primary key,
    partition text not null,
    first_id bigint not null,
    last_hash bytea not null,
    cut_at timestamptz not null
);
comment on table audit.cut is 'Partitions that the retention time took: the chain goes on from the newest one''s last_hash.';

create table audit.signature (
    record_id bigint primary key,
    hash bytea not null check (length(hash) = 32),
    public_key bytea not null check (length(public_key) = 32),
    signature bytea not null check (length(signature) = 64),
    signed_at timestamptz not null
);
create index signature_public_key_idx on audit.signature (public_key);
comment on table audit.signature is 'Heads of the chain, signed (Ed25519) by a service whose key the database does not have.';

alter table audit.record enable row level security;
alter table audit.record force row level security;
alter table audit.chain enable row level security;
alter table audit.chain force row level security;
alter table audit.cut enable row level security;
alter table audit.cut force row level security;
alter table audit.signature enable row level security;
alter table audit.signature force row level security;
