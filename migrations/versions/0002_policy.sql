-- Principals and their keys.
create table policy.principal (
    id bigint generated always as identity primary key,
    name text not null unique check (name <> ''),
    kind text not null check (kind in ('person', 'agent', 'service')),
    role text not null check (role in ('user', 'operator', 'admin')),
    database_role text unique,
    enabled boolean not null default true,
    created_at timestamptz not null default now()
);
comment on table policy.principal is 'Who may ask: people, agents and services.';
comment on column policy.principal.database_role is 'Login role whose psql sessions act as this principal; null for principals that come through the service only.';

create table policy.api_key (
    id bigint generated always as identity primary key,
    principal_id bigint not null references policy.principal on delete cascade,
    label text not null,
    prefix text not null,
    key_hash bytea not null unique check (length(key_hash) = 32),
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    revoked_at timestamptz
);
create index api_key_principal_idx on policy.api_key (principal_id);
create unique index api_key_live_label_idx on policy.api_key (principal_id, label)
where revoked_at is null;
comment on table policy.api_key is 'Bearer keys, kept as SHA-256 only; the prefix is what people recognise a key by.';

alter table policy.principal enable row level security;
alter table policy.principal force row level security;
alter table policy.api_key enable row level security;
alter table policy.api_key force row level security;
