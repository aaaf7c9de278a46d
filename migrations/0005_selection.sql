-- Modes, receipts, exposed tools, and what was learned from calls.

create schema selection;
comment on schema selection is
'Modes, receipts that record goals and offered cards, and the tools that are exposed to a session.';

create type selection.unavailability as (
    reason text,
    remedy text,
    until timestamptz
);
comment on type selection.unavailability is
'Why a card cannot be used now, what to do, and, if it is known, until when this lasts.';

create type selection.candidate as (
    card_id bigint,
    ref bigint,
    score real,
    rerank real,
    blended real,
    success real,
    latency real,
    risk real,
    value real,
    tokens integer,
    probability real,
    place real [],
    unavailable selection.unavailability,
    kind text,
    name text
);
comment on type selection.candidate is
'A visible card in the pool: its first-stage score, the raw score from the cross-encoder, the blend of both, the other '
'utility terms and the resulting utility; its size in tokens; the probability that it is a right card, and its place '
'in the list, from which that probability was computed (selection.rate_cards; both null if nothing was learned about '
'the card); the reason why it cannot be used now (null if it can be used); and its kind and name.';

create table selection.mode (
    name text primary key check (name ~ '^[a-z][a-z_]*$'),
    lexical integer not null check (lexical between 0 and 1000),
    dense integer not null check (dense between 0 and 1000),
    fuzzy integer not null check (fuzzy between 0 and 1000),
    rerank integer not null check (rerank between 0 and 1000),
    top integer not null check (top between 1 and 100),
    ef_search integer not null check (ef_search between 1 and 1000),
    lambda real not null check (lambda between 0 and 1),
    scoring text not null default 'learned' check (scoring in ('fusion', 'learned')),
    weight_lexical real not null check (weight_lexical >= 0),
    weight_dense real not null check (weight_dense >= 0),
    weight_fuzzy real not null check (weight_fuzzy >= 0),
    weight_rerank real not null default 0.3 check (weight_rerank between 0 and 1),
    weight_score real not null default 1 check (weight_score >= 0),
    weight_success real not null default 0.05 check (weight_success >= 0),
    weight_latency real not null default 0.02 check (weight_latency >= 0),
    weight_risk real not null default 0 check (weight_risk >= 0),
    weight_unavailable real not null default 0.5 check (weight_unavailable between 0 and 1),
    floor real not null default 0 check (floor between 0 and 1),
    tail real not null default 0 check (tail between 0 and 1)
);
alter table selection.mode enable row level security, force row level security;
comment on table selection.mode is
'The search modes, each with the number of candidates from each channel, the rerank depth, the number of tools shown, '
'and the fusion weights. The settings file defines them.';
comment on column selection.mode.rerank is 'How many of the best candidates a cross-encoder reads; 0 for none.';
comment on column selection.mode.lambda is
'How much similar cards are avoided (the lambda of maximal marginal relevance), from 0 to 1. With 0 only the utility '
'counts.';
comment on column selection.mode.scoring is
'How candidates are scored: fusion (weighted sum of the channels) or learned (search.coefficient, if it has weights).';
comment on column selection.mode.weight_lexical is
'Weight of words in fusion. With the weight 0, words do not count in the learned score either.';
comment on column selection.mode.weight_dense is
'Weight of vectors in fusion. With the weight 0, vectors do not count in the learned score either.';
comment on column selection.mode.weight_fuzzy is
'Weight of similar names in fusion. With the weight 0, similar names do not count in the learned score either.';
comment on column selection.mode.weight_rerank is
'Share of the cross-encoder''s score in the score of the cards that the cross-encoder read.';
comment on column selection.mode.weight_score is 'Weight of the score in the utility.';
comment on column selection.mode.weight_success is 'Weight of the success rate, relative to the kind, in the utility.';
comment on column selection.mode.weight_latency is 'Weight of slowness, relative to the kind, in the utility.';
comment on column selection.mode.weight_risk is
'Weight of the risk, which comes from a tool''s annotations, in the utility.';
comment on column selection.mode.weight_unavailable is
'Share of the utility that a card loses while the card cannot be used.';
comment on column selection.mode.floor is
'A card is a weak match if the probability that it is a right one is lower than this value.';
comment on column selection.mode.tail is
'A card is not shown if its probability is lower than this share of the best card''s probability.';

create table selection.receipt (
    id bigint generated always as identity primary key,
    created_at timestamptz not null default now(),
    principal_id bigint references policy.principal,
    session text,
    kind text not null,
    origin text,
    goal text,
    goal_hash bytea,
    mode text not null,
    mode_label text not null default '',
    offered jsonb not null,
    withheld jsonb not null default '{}',
    duration_ms real not null,
    stages jsonb not null default '{}',
    door text check (door in ('http', 'mcp')),
    request_id text,
    detail jsonb not null default '{}' check (jsonb_typeof(detail) = 'object'),
    learned_at timestamptz,
    check (goal is not null or goal_hash is not null)
);
alter table selection.receipt enable row level security, force row level security;
comment on table selection.receipt is
'Receipts of selections: the goal and the offered cards, with the score of every stage. Each selection has one row.';
comment on column selection.receipt.origin is
'The origin that was searched, such as a lookup table; null if all origins were searched.';
comment on column selection.receipt.goal is 'The goal; null if receipts of this kind store only the hash of the goal.';
comment on column selection.receipt.goal_hash is
'SHA-256 of the goal in lower case with single spaces, for kinds whose goals may not be stored.';
comment on column selection.receipt.mode_label is
'The name of the mode and the first digits of a hash of its settings. A canary has other settings, so it has other '
'digits.';
comment on column selection.receipt.offered is 'The offered cards, best first: array of {rank, name, score, scores}.';
comment on column selection.receipt.withheld is 'How many candidates were withheld, by rule.';
comment on column selection.receipt.stages is 'Milliseconds of each stage, and whether the pool was in the cache.';
comment on column selection.receipt.detail is
'Further data of the kind. For lookups: k, match, error, and shadow, {profile, key, score, match, ms}.';
comment on column selection.receipt.learned_at is
'The time at which selection.learn linked the receipt to the calls that followed.';
create index receipt_principal_idx on selection.receipt (principal_id, created_at desc);
create index receipt_unlearned_idx on selection.receipt (created_at)
where learned_at is null;
create index receipt_origin_idx on selection.receipt (kind, origin, created_at)
where goal_hash is not null;
create index receipt_created_idx on selection.receipt using brin (created_at);

create table selection.exposure (
    principal_id bigint not null references policy.principal,
    session text not null check (length(session) between 1 and 200),
    kind text not null references search.kind,
    ref bigint not null,
    exposed_at timestamptz not null default now(),
    primary key (principal_id, session, kind, ref)
);
alter table selection.exposure enable row level security, force row level security;
comment on table selection.exposure is
'Cards that the searches of a session found. Cards of the kind tool are part of the session''s tools/list.';
create index exposure_kind_idx on selection.exposure (kind);

create table selection.canary (
    mode text primary key references selection.mode,
    percent real not null check (percent > 0 and percent <= 100),
    settings jsonb not null check (jsonb_typeof(settings) = 'object')
);
alter table selection.canary enable row level security, force row level security;
comment on table selection.canary is
'Changed settings that are used for a share of a mode''s selections, so that the two can be compared. The values come '
'from the settings file.';

-- The table is unlogged, so a crash empties it. It is only a cache whose rows are valid for half a minute.
create unlogged table selection.pool (
    key bytea primary key,
    expires_at timestamptz not null,
    cards search.found[] not null
);
alter table selection.pool enable row level security, force row level security;
comment on table selection.pool is
'Recent candidates, by a hash of the principal, the goal, the mode, the model and all counters in core.version.';
create index pool_expires_at_idx on selection.pool (expires_at);

create table selection.outcome (
    receipt_id bigint not null references selection.receipt,
    ref bigint not null,
    rank integer not null,
    calls integer not null check (calls > 0),
    successes integer not null check (successes between 0 and calls),
    duration_ms real,
    primary key (receipt_id, ref)
);
alter table selection.outcome enable row level security, force row level security;
comment on table selection.outcome is
'Offered cards that were called, and how the calls ended. Each offer of a card has one row.';
comment on column selection.outcome.duration_ms is 'Mean duration of the calls, in milliseconds.';

create table selection.judgement (
    kind text not null,
    goal_hash bytea not null,
    ref bigint not null,
    goal text not null,
    mode text not null,
    successes integer not null default 0,
    passed_over integer not null default 0,
    first_at timestamptz not null,
    last_at timestamptz not null,
    primary key (kind, goal_hash, ref)
);
alter table selection.judgement enable row level security, force row level security;
comment on table selection.judgement is
'What was learned about goals: cards that were called successfully for a goal, and cards that were ranked above them '
'but not called.';

create table selection.utility (
    kind text not null,
    ref bigint not null,
    calls integer not null,
    successes integer not null,
    success_rate real not null,
    p95_ms real not null,
    success_gain real not null,
    latency_loss real not null,
    refreshed_at timestamptz not null,
    primary key (kind, ref)
);
alter table selection.utility enable row level security, force row level security;
comment on table selection.utility is
'Utility of cards, computed from their calls. A card that was never called has no row. The function '
'selection.refresh_utility updates the table.';
comment on column selection.utility.success_rate is
'Success rate, moved towards the rate of the kind. The fewer calls a card has, the further its rate is moved.';
comment on column selection.utility.p95_ms is
'95th percentile of the duration in milliseconds, moved towards the value for the kind. The fewer calls a card has, '
'the further the value is moved.';
comment on column selection.utility.success_gain is
'success_rate minus the success rate of the kind.';
comment on column selection.utility.latency_loss is
'The slowness of the card minus that of its kind. Slowness is p95 / (p95 + 5 s).';
