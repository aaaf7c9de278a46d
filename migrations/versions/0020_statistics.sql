-- Statistics of calls and selections by the hour, and how long what they are made from is kept.
-- One transaction with the service stopped or waiting, so locks are no risk.
-- squawk-ignore-file require-concurrent-index-creation
create index call_ended_idx on calls.call (ended_at);
create index call_replayed_idx on calls.call (replayed_at)
where replayed_at is not null;
create index call_started_idx on calls.call using brin (started_at);

create table stats.watermark (
    name text primary key check (name in ('calls', 'selections')),
    counted_to timestamptz not null,
    late bigint not null default 0
);
comment on table stats.watermark is 'How far the log is counted.';
comment on column stats.watermark.late is 'Rows of hours that had been counted to their end before.';

create table stats.call_hour (
    hour timestamptz not null,
    tool_id bigint not null references catalog.tool,
    principal_id bigint not null references policy.principal,
    outcome text not null,
    calls integer not null check (calls > 0),
    duration_ms double precision not null,
    argument_bytes bigint not null,
    result_bytes bigint not null,
    largest_bytes bigint not null,
    durations jsonb not null,
    primary key (hour, tool_id, principal_id, outcome)
);
create index call_hour_tool_idx on stats.call_hour (tool_id, hour);
create index call_hour_principal_idx on stats.call_hour (principal_id, hour);
comment on table stats.call_hour is 'Calls of tools by the hour in which they began, without probes; written by stats.count_calls.';
comment on column stats.call_hour.duration_ms is 'Milliseconds of all calls together.';
comment on column stats.call_hour.durations is 'Calls by stats.duration_bucket: {bucket: calls}.';

create table stats.selection_hour (
    hour timestamptz not null,
    principal_id bigint not null references policy.principal,
    mode text not null,
    selections integer not null check (selections > 0),
    empty integer not null,
    offered integer not null,
    tokens_sent bigint not null,
    tokens_full bigint not null,
    duration_ms double precision not null,
    durations jsonb not null,
    primary key (hour, principal_id, mode)
);
create index selection_hour_principal_idx on stats.selection_hour (principal_id, hour);
comment on table stats.selection_hour is 'Selections of tools by the hour; written by selection.count_selections.';
comment on column stats.selection_hour.empty is 'Those that offered nothing.';
comment on column stats.selection_hour.tokens_sent is 'Estimated tokens of the definitions that were offered.';
comment on column stats.selection_hour.tokens_full is 'What the whole list would have cost: tokens of every tool the principal may see when the hour is counted, once a selection.';

alter table stats.watermark enable row level security;
alter table stats.watermark force row level security;
alter table stats.call_hour enable row level security;
alter table stats.call_hour force row level security;
alter table stats.selection_hour enable row level security;
alter table stats.selection_hour force row level security;
