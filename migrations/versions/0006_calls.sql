-- The log of calls, a partition a day; breakers, answers that are kept, probes, and what is set for the calls of a tool.

create schema calls;
comment on schema calls is 'The log of calls relayed to upstream servers.';

create sequence calls.call_number as bigint;
create table calls.call (
    id bigint not null default nextval('calls.call_number'),
    started_at timestamptz not null default now(),
    ended_at timestamptz,
    principal_id bigint not null,
    instance_id uuid not null,
    request_id text not null,
    toolset text,
    rule_version_id integer,
    rule integer,
    receipt_id bigint,
    method text not null default 'tools/call',
    kind text,
    ref bigint,
    version integer,
    origin_id bigint,
    target text,
    key uuid,
    attempts integer not null default 1,
    answered_by text not null default 'upstream',
    argument_bytes integer not null,
    result_bytes bigint,
    duration_ms real,
    outcome text not null default 'pending',
    failure text,
    replayed_at timestamptz,
    primary key (id, started_at),
    constraint call_argument_bytes_check check (argument_bytes >= 0),
    constraint call_attempts_check check (attempts >= 0),
    constraint call_ended_unless_pending check ((outcome = 'pending') = (ended_at is null)),
    constraint call_has_its_object check (
        case method
            when 'tools/call'
                then kind is not null and ref is not null and version is not null
            when 'outcome' then kind is not null and ref is not null
            else origin_id is not null and target is not null
        end
    ),
    constraint call_outcome_check check (
        outcome = any('{
            pending, ok, failed, tool_error, invalid_arguments, timeout, cancelled, busy,
            auth, network, died, protocol, too_large, lost, internal, unavailable
        }')
    ),
    constraint call_answered_by_check check (answered_by = any('{upstream, cache, key}'))
) partition by range (started_at);
alter table calls.call enable row level security, force row level security;
comment on table calls.call is 'Everything relayed to an upstream: who, what, how long, how large, how it ended; a partition a day (UTC).';
comment on column calls.call.principal_id is 'Of policy.principal, whose rows stay.';
comment on column calls.call.toolset is 'Through which toolset the tool was asked for; null where none.';
comment on column calls.call.rule_version_id is 'Of policy.rule_version, whose rows stay: the rules that allowed the call. Null of reads (policy.decision) and of rows made from what a process wrote down (api.replay_calls).';
comment on column calls.call.rule is 'Position in that version of the rule that allowed it; null where the default did. No secret: the rule''s words are in policy.rule.';
comment on column calls.call.receipt_id is 'Of selection.receipt, which is kept while a call names it.';
comment on column calls.call.method is 'What was relayed: tools/call, or a read of another kind; outcome where nothing was relayed and its use was reported.';
comment on column calls.call.kind is 'Kind of card that was called, read or used.';
comment on column calls.call.ref is 'Row of the kind''s own table, which stays; null of reads.';
comment on column calls.call.origin_id is 'Where it went. Null for calls of tools of which nothing was known but the tool.';
comment on column calls.call.target is 'Of what is no tool call: the URI, or the name of the prompt, as its origin knows it.';
comment on column calls.call.key is 'Given by the process that relays the call together with started_at, before anything is written of it anywhere; the two are one identity.';
comment on column calls.call.attempts is 'How often the upstream may have got the request; more than once only where catalog.call_terms allows it.';
comment on column calls.call.answered_by is 'upstream; cache or key where an answer was given again (calls.answer).';
comment on column calls.call.outcome is 'pending while under way; lost when the process that relayed it was killed, so nobody knows; too_large where the result was more than the tool may have.';
comment on column calls.call.replayed_at is 'When its record, or the end of it, came from the spool of a process that could not reach the database; null where it was written at once.';
create unique index call_key_idx on calls.call (key, started_at);
create index call_ref_idx on calls.call (ref, started_at desc);
create index call_principal_idx on calls.call (principal_id, started_at desc);
create index call_receipt_idx on calls.call (receipt_id);
create index call_origin_idx on calls.call (origin_id, started_at desc);
create index call_pending_idx on calls.call (instance_id) where outcome = 'pending';
create index call_ended_idx on calls.call (ended_at);
create index call_replayed_idx on calls.call (replayed_at) where replayed_at is not null;
create index call_started_idx on calls.call using brin (started_at);
alter sequence calls.call_number owned by calls.call.id;

create table calls.call_default partition of calls.call default;
alter table calls.call_default enable row level security, force row level security;
comment on table calls.call_default is 'Calls of days that have no partition; calls.add_partition takes them from here.';

create table calls.probe (
    call_id bigint primary key,
    item_id bigint not null references catalog.item,
    version integer not null,
    example integer not null check (example >= 0),
    sandbox text not null default 'none' check (sandbox in ('bwrap', 'limits', 'none')),
    is_honest boolean,
    problem text not null default '',
    probed_at timestamptz not null
);
alter table calls.probe enable row level security, force row level security;
comment on table calls.probe is 'Calls of side-effect-free tools on their own examples, made to see whether they keep what they promise.';
comment on column calls.probe.call_id is 'Of calls.call, which forgets whole days.';
comment on column calls.probe.sandbox is 'bwrap: no network, nothing to write but a throw-away home; limits: the home, and limits of processor, memory and files; none: an upstream on another machine.';
comment on column calls.probe.is_honest is 'False where its own example is refused, its result is not what its schema says, or it reports a change though it only reads; null where it could not be judged.';
create index probe_item_idx on calls.probe (item_id, probed_at desc);

create table calls.probe_turn (
    item_id bigint primary key references catalog.item on delete cascade,
    probed_at timestamptz not null
);
alter table calls.probe_turn enable row level security, force row level security;
create index probe_turn_asked_idx on calls.probe_turn (item_id) where probed_at = '-infinity';
comment on table calls.probe_turn is 'When each tool was probed last, or a probe of it was tried; -infinity where somebody has asked for one.';

create table calls.terms (
    item_id bigint primary key references catalog.item on delete cascade,
    version integer not null,
    terms jsonb not null check (jsonb_typeof(terms) = 'object'),
    set_at timestamptz not null,
    set_by bigint not null references policy.principal
);
alter table calls.terms enable row level security, force row level security;
comment on table calls.terms is 'What an operator has set for the calls of a tool; see catalog.call_terms.';
comment on column calls.terms.version is 'Of which version of the definition it was said: of another, its claims of harmlessness do not hold.';
create index terms_set_by_idx on calls.terms (set_by);

create table calls.answer (
    id bigint generated always as identity primary key,
    kind text not null check (kind in ('cache', 'key', 'page')),
    principal_id bigint references policy.principal,
    item_id bigint not null references catalog.item on delete cascade,
    name text not null check (length(name) <= 200),
    request_hash bytea not null,
    call_id bigint not null,
    called_at timestamptz not null,
    body text,
    media_type text not null default 'application/json',
    created_at timestamptz not null,
    expires_at timestamptz not null,
    constraint answer_name_key unique nulls not distinct (kind, principal_id, item_id, name),
    constraint answer_of_somebody check (principal_id is not null or kind = 'cache')
);
alter table calls.answer enable row level security, force row level security;
comment on table calls.answer is 'Answers that are given again: of calls under an idempotency key, of tools with a cache, and large ones that are read in pages.';
comment on column calls.answer.principal_id is 'Whose it is; null: anybody''s who may call the tool (a cache that is declared public).';
comment on column calls.answer.name is 'The client''s idempotency key; version and hash of the arguments; the handle of pages.';
comment on column calls.answer.request_hash is 'SHA-256 of the arguments: the same key with others is refused.';
comment on column calls.answer.body is 'Null while the call that will answer is under way, and for good where its answer was not kept.';
create index answer_expires_idx on calls.answer (expires_at);
create index answer_item_idx on calls.answer (item_id);
create index answer_principal_idx on calls.answer (principal_id);
create index answer_call_idx on calls.answer (call_id);

create table calls.breaker (
    origin_id bigint primary key references catalog.origin,
    state text not null check (state in ('closed', 'open', 'half_open')),
    because text not null,
    trips integer not null check (trips > 0),
    opened_at timestamptz not null,
    open_until timestamptz not null,
    probe_call_id bigint,
    probe_until timestamptz,
    closed_at timestamptz,
    constraint breaker_probed_unless_settled check (
        (state = 'half_open') = (probe_call_id is not null and probe_until is not null)
    ),
    constraint breaker_closed_at check (state <> 'closed' or closed_at is not null)
);
alter table calls.breaker enable row level security, force row level security;
comment on table calls.breaker is 'Origins that were found failing or slow; others have no row.';
comment on column calls.breaker.state is 'closed: called as ever; open: not called until open_until; half_open: one call is under way that tells whether it is well again.';
comment on column calls.breaker.because is 'What was seen when it opened last.';
comment on column calls.breaker.trips is 'How often in a row: the pause doubles each time.';
comment on column calls.breaker.probe_call_id is 'The one call, of calls.call.';
comment on column calls.breaker.probe_until is 'When that call counts as gone, so that another may try.';
create unique index breaker_probe_idx on calls.breaker (probe_call_id)
where probe_call_id is not null;

create table calls.pace (
    item_id bigint primary key references catalog.item,
    calls bigint not null check (calls > 0),
    p95_ms double precision not null
);
alter table calls.pace enable row level security, force row level security;
comment on table calls.pace is 'How long calls of each tool usually take; written by stats.renew_pace.';
comment on column calls.pace.calls is 'Answered ones, of which p95_ms is the 95th percentile of the duration.';
