-- Calls: the log by days, what holds of a tool's calls, and answers that are given again.
-- One transaction with the service stopped or waiting, so locks are no risk; callers of the dropped are changed with it.
-- squawk-ignore-file ban-drop-function, ban-drop-table, ban-drop-constraint
alter table calls.probe drop constraint probe_call_id_fkey;
comment on column calls.probe.call_id is 'Of calls.call, which forgets whole days.';

create temporary table call_before on commit drop as select c.* from calls.call as c;
drop table calls.call;

create sequence calls.call_number as bigint;
create table calls.call (
    id bigint not null default nextval('calls.call_number'),
    started_at timestamptz not null default now(),
    principal_id bigint not null references policy.principal,
    instance_id uuid not null,
    request_id text not null,
    receipt_id bigint references selection.receipt,
    method text not null default 'tools/call',
    tool_id bigint references catalog.tool,
    tool_version integer,
    origin_id bigint references catalog.origin,
    target text,
    argument_bytes integer not null,
    outcome text not null default 'pending',
    ended_at timestamptz,
    duration_ms real,
    result_bytes bigint,
    failure text,
    key uuid,
    replayed_at timestamptz,
    attempts integer not null default 1,
    answered_by text not null default 'upstream',
    primary key (id, started_at),
    constraint call_argument_bytes_check check (argument_bytes >= 0),
    constraint call_attempts_check check (attempts >= 0),
    constraint call_answered_by_check check (answered_by in ('upstream', 'cache', 'key')),
    constraint call_outcome_check check (
        outcome in (
            'pending', 'ok', 'tool_error', 'invalid_arguments', 'timeout', 'cancelled', 'busy',
            'auth', 'network', 'died', 'protocol', 'too_large', 'lost', 'internal'
        )
    ),
    constraint call_ended_unless_pending check ((outcome = 'pending') = (ended_at is null)),
    constraint call_has_its_object check (
        case method
            when 'tools/call' then tool_id is not null and tool_version is not null
            else origin_id is not null and target is not null
        end
    )
) partition by range (started_at);
create unique index call_key_idx on calls.call (key, started_at);
create index call_tool_idx on calls.call (tool_id, started_at desc);
create index call_principal_idx on calls.call (principal_id, started_at desc);
create index call_receipt_idx on calls.call (receipt_id);
create index call_origin_idx on calls.call (origin_id, started_at desc);
create index call_pending_idx on calls.call (instance_id) where outcome = 'pending';
create index call_ended_idx on calls.call (ended_at);
create index call_replayed_idx on calls.call (replayed_at) where replayed_at is not null;
create index call_started_idx on calls.call using brin (started_at);
comment on table calls.call is 'Everything relayed to an upstream: who, what, how long, how large, how it ended; a partition a day (UTC).';
comment on column calls.call.outcome is 'pending while under way; lost when the process that relayed it was killed, so nobody knows; too_large where the result was more than the tool may have.';
comment on column calls.call.key is 'Given by the process that relays the call together with started_at, before anything is written of it anywhere; the two are one identity.';
comment on column calls.call.replayed_at is 'When its record, or the end of it, came from the spool of a process that could not reach the database; null where it was written at once.';
comment on column calls.call.method is 'What was relayed: tools/call, or a read of another kind.';
comment on column calls.call.origin_id is 'Of what is no tool call; a tool tells its origin itself.';
comment on column calls.call.target is 'Of what is no tool call: the URI, or the name of the prompt, as its origin knows it.';
comment on column calls.call.attempts is 'How often the upstream may have got the request; more than once only where catalog.call_terms allows it.';
comment on column calls.call.answered_by is 'upstream; cache or key where an answer was given again (calls.answer).';

create table calls.call_default partition of calls.call default;
comment on table calls.call_default is 'Calls of days that have no partition; calls.add_partition takes them from here.';

insert into calls.call (
    id, started_at, principal_id, instance_id, request_id, receipt_id, method, tool_id,
    tool_version, origin_id, target, argument_bytes, outcome, ended_at, duration_ms, result_bytes,
    failure, key, replayed_at
)
select
    b.id,
    b.started_at,
    b.principal_id,
    b.instance_id,
    b.request_id,
    b.receipt_id,
    b.method,
    b.tool_id,
    b.tool_version,
    b.origin_id,
    b.target,
    b.argument_bytes,
    b.outcome,
    b.ended_at,
    b.duration_ms,
    b.result_bytes,
    b.failure,
    b.key,
    b.replayed_at
from call_before as b;
select setval('calls.call_number', coalesce(max(b.id), 0) + 1, false)
from call_before as b;
alter sequence calls.call_number owned by calls.call.id;

create table calls.terms (
    tool_id bigint primary key references catalog.tool on delete cascade,
    tool_version integer not null,
    terms jsonb not null check (jsonb_typeof(terms) = 'object'),
    set_at timestamptz not null,
    set_by bigint not null references policy.principal
);
create index terms_set_by_idx on calls.terms (set_by);
comment on table calls.terms is 'What an operator has set for the calls of a tool; see catalog.call_terms.';
comment on column calls.terms.tool_version is 'Of which version of the definition it was said: of another, its claims of harmlessness do not hold.';

create table calls.answer (
    id bigint generated always as identity primary key,
    kind text not null check (kind in ('cache', 'key', 'page')),
    principal_id bigint references policy.principal,
    tool_id bigint not null references catalog.tool on delete cascade,
    name text not null check (length(name) <= 200),
    request_hash bytea not null,
    call_id bigint not null,
    called_at timestamptz not null,
    body text,
    media_type text not null default 'application/json',
    created_at timestamptz not null,
    expires_at timestamptz not null,
    constraint answer_name_key unique nulls not distinct (kind, principal_id, tool_id, name),
    constraint answer_of_somebody check (principal_id is not null or kind = 'cache')
);
create index answer_expires_idx on calls.answer (expires_at);
create index answer_tool_idx on calls.answer (tool_id);
create index answer_principal_idx on calls.answer (principal_id);
create index answer_call_idx on calls.answer (call_id);
comment on table calls.answer is 'Answers that are given again: of calls under an idempotency key, of tools with a cache, and large ones that are read in pages.';
comment on column calls.answer.principal_id is 'Whose it is; null: anybody''s who may call the tool (a cache that is declared public).';
comment on column calls.answer.name is 'The client''s idempotency key; version and hash of the arguments; the handle of pages.';
comment on column calls.answer.request_hash is 'SHA-256 of the arguments: the same key with others is refused.';
comment on column calls.answer.body is 'Null while the call that will answer is under way, and for good where its answer was not kept.';

alter table calls.call enable row level security;
alter table calls.call force row level security;
alter table calls.call_default enable row level security;
alter table calls.call_default force row level security;
alter table calls.terms enable row level security;
alter table calls.terms force row level security;
alter table calls.answer enable row level security;
alter table calls.answer force row level security;

drop function if exists api.call_begin(text, integer, text, uuid, bigint, uuid);
drop function if exists api.call_end(bigint, text, real, bigint, text);
drop function if exists api.relay_begin(text, text, text, integer, text, uuid, text);
