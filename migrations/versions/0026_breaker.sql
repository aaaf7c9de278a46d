-- Breakers of upstreams, and replicas.
-- One transaction with the service stopped or waiting, so locks are no risk; callers of the dropped are changed with it.
-- squawk-ignore-file ban-drop-function, ban-drop-constraint, constraint-missing-not-valid
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
create unique index breaker_probe_idx on calls.breaker (probe_call_id)
where probe_call_id is not null;
comment on table calls.breaker is 'Origins that were found failing or slow; others have no row.';
comment on column calls.breaker.state is 'closed: called as ever; open: not called until open_until; half_open: one call is under way that tells whether it is well again.';
comment on column calls.breaker.because is 'What was seen when it opened last.';
comment on column calls.breaker.trips is 'How often in a row: the pause doubles each time.';
comment on column calls.breaker.probe_call_id is 'The one call, of calls.call.';
comment on column calls.breaker.probe_until is 'When that call counts as gone, so that another may try.';

create table calls.pace (
    tool_id bigint primary key references catalog.tool,
    calls bigint not null check (calls > 0),
    p95_ms double precision not null
);
comment on table calls.pace is 'How long calls of each tool usually take; written by stats.renew_pace.';
comment on column calls.pace.calls is 'Answered ones, of which p95_ms is the 95th percentile of the duration.';

alter table calls.breaker enable row level security;
alter table calls.breaker force row level security;
alter table calls.pace enable row level security;
alter table calls.pace force row level security;

alter table calls.call
drop constraint if exists call_outcome_check,
add constraint call_outcome_check check (
    outcome in (
        'pending', 'ok', 'tool_error', 'invalid_arguments', 'timeout', 'cancelled', 'busy',
        'auth', 'network', 'died', 'protocol', 'too_large', 'lost', 'internal', 'unavailable'
    )
);
comment on column calls.call.origin_id is 'Where it went. Null for calls of tools of which nothing was known but the tool.';

drop function if exists api.call_begin(text, integer, text, uuid, bigint, uuid);
drop function if exists api.relay_begin(text, text, text, integer, text, uuid, text);
drop function if exists api.list_origins(timestamptz);
drop function if exists api.search_tools(
    text, text, integer, ext.vector, text, jsonb, integer, boolean, timestamptz
);
