-- The call log: a row is committed before the network is touched and completed after.
create table calls.call (
    id bigint generated always as identity primary key,
    started_at timestamptz not null default now(),
    principal_id bigint not null references policy.principal,
    instance_id uuid not null,
    request_id text not null,
    receipt_id bigint references selection.receipt,
    tool_id bigint not null references catalog.tool,
    tool_version integer not null,
    argument_bytes integer not null check (argument_bytes >= 0),
    outcome text not null default 'pending' check (
        outcome in (
            'pending', 'ok', 'tool_error', 'invalid_arguments', 'timeout', 'cancelled', 'busy',
            'auth', 'network', 'died', 'protocol', 'lost', 'internal'
        )
    ),
    ended_at timestamptz,
    duration_ms real,
    result_bytes bigint,
    failure text,
    constraint call_ended_unless_pending check ((outcome = 'pending') = (ended_at is null))
);
create index call_tool_idx on calls.call (tool_id, started_at desc);
create index call_principal_idx on calls.call (principal_id, started_at desc);
create index call_receipt_idx on calls.call (receipt_id);
create index call_pending_idx on calls.call (instance_id) where outcome = 'pending';
comment on table calls.call is 'Every call relayed to an upstream: who, what, how long, how large, how it ended.';
comment on column calls.call.outcome is 'pending while under way; lost when the process that relayed it was killed, so nobody knows.';

alter table calls.call enable row level security;
alter table calls.call force row level security;
