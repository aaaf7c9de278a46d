-- The call log, with a partition for each day; breakers, stored answers, probes, and the terms of
-- tools.

create schema calls;
comment on schema calls is 'The log of calls to upstream servers, and the breakers, stored answers and terms of calls.';

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
    findings jsonb,
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
comment on table calls.call is
'Everything that was sent to an upstream: who sent it, what it was, how long it took, how large it was, and how it '
'ended. There is one partition for each day (UTC).';
comment on column calls.call.principal_id is 'Id in policy.principal, whose rows are never deleted.';
comment on column calls.call.toolset is 'The toolset through which the tool was called; null if no toolset was used.';
comment on column calls.call.rule_version_id is
'Version of the rules that allowed the call; rows of policy.rule_version are never deleted. Null for reads '
'(policy.decision) and for rows replayed from a spool (api.replay_calls).';
comment on column calls.call.rule is
'Position of the rule that allowed the call in its version of the rules; null if the default allowed the call.';
comment on column calls.call.receipt_id is
'Id of the receipt in selection.receipt. A receipt is not deleted while a call refers to it.';
comment on column calls.call.method is
'The method of the protocol (tools/call, or the method of a read), or ''outcome'' if an agent reported the use of a '
'card.';
comment on column calls.call.kind is 'Kind of the card that was called, read or used.';
comment on column calls.call.ref is
'Id of the row in the kind''s own table; such rows are never deleted. Null for reads.';
comment on column calls.call.origin_id is 'The origin that was called. Null for a tool whose origin was unknown.';
comment on column calls.call.target is
'For reads: the URI of the resource or the name of the prompt, as the origin lists it.';
comment on column calls.call.key is
'Key that the calling process assigns before it writes anything. The key and started_at together identify the call.';
comment on column calls.call.attempts is
'How often the upstream may have received the request; more than once only if catalog.call_terms allows it.';
comment on column calls.call.answered_by is
'''upstream'', or, if a stored answer was used, ''cache'' or ''key'' (calls.answer).';
comment on column calls.call.outcome is
'pending while in progress; lost if its process was killed, so that its outcome is unknown; too_large if the result '
'exceeded the limit of the tool.';
comment on column calls.call.findings is
'What the guardrails found in the result: {marked: {KIND: NUMBER}, masked: {KIND: NUMBER}}, never the text; null if '
'nothing was found or looked for.';
comment on column calls.call.replayed_at is
'Time at which the call, or its end, was replayed from the spool of a process that could not reach the database; null '
'if it was written immediately.';
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
comment on table calls.call_default is
'Calls of days that have no partition yet. calls.add_partition moves the calls to their partition.';

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
comment on table calls.probe is
'Calls of side-effect-free tools on their own examples, which test whether a tool keeps its promises.';
comment on column calls.probe.call_id is 'Id in calls.call, whose rows are deleted by whole days.';
comment on column calls.probe.sandbox is
'The sandbox in which the tool ran. bwrap: without a network, and with a temporary home directory as the only writable '
'folder; limits: with a temporary home directory, and with limits on CPU time, memory and files; none: on another '
'machine, without a sandbox.';
comment on column calls.probe.is_honest is
'False if the tool refuses its own example, returns a result that does not match the schema, or reports a change '
'although it declares that it only reads; null if unknown.';
create index probe_item_idx on calls.probe (item_id, probed_at desc);

create table calls.probe_turn (
    item_id bigint primary key references catalog.item on delete cascade,
    probed_at timestamptz not null
);
alter table calls.probe_turn enable row level security, force row level security;
create index probe_turn_asked_idx on calls.probe_turn (item_id) where probed_at = '-infinity';
comment on table calls.probe_turn is
'The time at which each tool was last probed, or at which a probe was last attempted; -infinity if a probe was '
'requested.';

create table calls.terms (
    item_id bigint primary key references catalog.item on delete cascade,
    version integer not null,
    terms jsonb not null check (jsonb_typeof(terms) = 'object'),
    set_at timestamptz not null,
    set_by bigint not null references policy.principal
);
alter table calls.terms enable row level security, force row level security;
comment on table calls.terms is 'The terms that operators set for tools; see catalog.call_terms.';
comment on column calls.terms.version is
'The version of the definition for which the terms were set. Terms that declare the tool safe do not apply to other '
'versions.';
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
comment on table calls.answer is
'Stored answers to calls with an idempotency key and to calls of tools with a cache, and large answers that are read '
'page by page.';
comment on column calls.answer.principal_id is
'The principal who owns the answer; null if everybody who may call the tool may read the answer (public cache).';
comment on column calls.answer.name is
'Name under which the answer is stored: for a call with an idempotency key, that key; for a cached answer, the version '
'and the hash of the arguments; for an answer that is read page by page, the handle.';
comment on column calls.answer.request_hash is
'SHA-256 of the arguments. A call with the same key but other arguments is refused.';
comment on column calls.answer.body is
'The answer; null while the call is in progress, and also if the answer was not stored.';
create index answer_expires_idx on calls.answer (expires_at);
create index answer_item_idx on calls.answer (item_id);
create index answer_principal_idx on calls.answer (principal_id);
create index answer_call_idx on calls.answer (call_id);

create table calls.breaker (
    id bigint generated always as identity primary key,
    origin_id bigint not null references catalog.origin,
    principal_id bigint references policy.principal,
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
    constraint breaker_closed_at check (state <> 'closed' or closed_at is not null),
    constraint breaker_whose_key unique nulls not distinct (origin_id, principal_id)
);
alter table calls.breaker enable row level security, force row level security;
comment on table calls.breaker is
'Breakers that have opened before: of an origin for everybody, or for the calls of one principal.';
comment on column calls.breaker.principal_id is
'The principal whose calls are paused; null if the calls of all principals are.';
comment on column calls.breaker.state is
'closed: the origin is called; open: the origin is not called until open_until; half_open: one call is testing whether '
'the origin works again.';
comment on column calls.breaker.because is 'Reason why the breaker opened last.';
comment on column calls.breaker.trips is
'How many times in a row the breaker has opened. Each opening doubles the pause.';
comment on column calls.breaker.probe_call_id is 'Id in calls.call of the call that is testing the origin.';
comment on column calls.breaker.probe_until is
'The time from which the testing call counts as lost, so that another call may test the origin.';
create index breaker_principal_idx on calls.breaker (principal_id);
create index breaker_probe_idx on calls.breaker (probe_call_id)
where probe_call_id is not null;

create table calls.pace (
    item_id bigint primary key references catalog.item,
    calls bigint not null check (calls > 0),
    p95_ms double precision not null
);
alter table calls.pace enable row level security, force row level security;
comment on table calls.pace is
'The usual duration of calls to each tool. The function stats.renew_pace writes this table.';
comment on column calls.pace.calls is
'Number of answered calls; p95_ms is the 95th percentile of their durations.';
