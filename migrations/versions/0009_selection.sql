-- Selection after the engine: what a candidate is worth, which few are shown, what is kept of it, what is learned from it.
-- One transaction with the service stopped or waiting, so locks and rewrites are no risk; callers of the dropped are changed with it.
-- squawk-ignore-file ban-drop-function, require-concurrent-index-creation, adding-field-with-default
drop function if exists api.search_cards(text, text, text, integer, ext.vector, text);
drop function if exists api.search_tools(text, text, integer, ext.vector, text);
drop function if exists api.select_tools(text, text, integer, ext.vector);
drop function if exists selection.record_receipt(text, text, text, text, jsonb, real);

create table core.version (
    name text primary key,
    value bigint not null
);
comment on table core.version is 'Counters that grow whenever what they are named after changes: what was found under another value is not valid any more.';
alter table core.version enable row level security;
alter table core.version force row level security;

alter table selection.mode
add column weight_rerank real not null default 0.3 check (weight_rerank between 0 and 1),
add column weight_score real not null default 1 check (weight_score >= 0),
add column weight_success real not null default 0.05 check (weight_success >= 0),
add column weight_latency real not null default 0.02 check (weight_latency >= 0),
add column weight_risk real not null default 0 check (weight_risk >= 0);
comment on column selection.mode.rerank is 'How many of the best candidates a cross-encoder reads; 0 for none.';
comment on column selection.mode.lambda is 'Share of novelty in MMR; 0 is relevance only.';
comment on column selection.mode.weight_rerank is 'Share of the cross-encoder in the score of what it read.';
comment on column selection.mode.weight_score is 'Utility: weight of the score.';
comment on column selection.mode.weight_success is 'Utility: weight of the success rate above that of the kind.';
comment on column selection.mode.weight_latency is 'Utility: weight of slowness above that of the kind.';
comment on column selection.mode.weight_risk is 'Utility: weight of the risk that a tool''s annotations tell.';

create table selection.canary (
    mode text primary key references selection.mode,
    percent real not null check (percent > 0 and percent <= 100),
    settings jsonb not null check (jsonb_typeof(settings) = 'object')
);
comment on table selection.canary is 'A share of a mode''s selections that is answered under changed settings, to compare the two. Written from the settings file.';

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
    tokens integer
);
comment on type selection.candidate is
'A visible card of the pool: first-stage score, raw score of the cross-encoder, the two blended, the other terms of utility, value after all, size in tokens.';

create type search.found as (
    card_id bigint,
    score real,
    lexical real,
    dense real,
    fuzzy real,
    sources text [],
    features real []
);
comment on type search.found is
'A card that the engine found: score (0 to 1), each channel''s own score, the channels that found it, its features in the order of search.feature_names().';

-- Half a minute of memory: nothing is lost with it.
create unlogged table selection.pool (
    key bytea primary key,
    expires_at timestamptz not null,
    cards search.found[] not null
);
create index pool_expires_at_idx on selection.pool (expires_at);
comment on table selection.pool is 'What the engine found lately, by a hash of who asked for what, under which mode, model and versions.';

alter table selection.receipt
add column mode_label text not null default '',
add column stages jsonb not null default '{}',
add column withheld jsonb not null default '{}',
add column learned_at timestamptz;
create index receipt_unlearned_idx on selection.receipt (created_at)
where learned_at is null;
create index receipt_created_idx on selection.receipt using brin (created_at);
comment on column selection.receipt.mode_label is 'Mode and the first digits of the hash of the settings that answered; a canary has other digits.';
comment on column selection.receipt.stages is 'Milliseconds of each stage, and whether the pool was in the cache.';
comment on column selection.receipt.withheld is 'How many candidates were not offered, by rule.';
comment on column selection.receipt.learned_at is 'When selection.learn joined it to the calls that followed.';

-- Text has about 4 characters a token, JSON about 3.
alter table catalog.tool
add column tokens integer not null generated always as (
    ceil(
        length(callable_name || coalesce(title, '') || description) / 4.0
        + length(input_schema::text) / 3.0
    )
) stored,
add column risk real not null generated always as (
    case
        when annotations @> '{"readOnlyHint": true}' then 0
        when annotations @> '{"destructiveHint": false}' then 0.4
        else 0.8
    end
    + case when annotations @> '{"openWorldHint": false}' then 0 else 0.2 end
) stored;
comment on column catalog.tool.tokens is 'Estimated tokens of the definition in a model''s context: text at 4, JSON at 3 characters each.';
comment on column catalog.tool.risk is '0 (reads only, closed world) to 1 (may destroy, open world), from the annotations; unsaid counts as the protocol says.';

create table selection.outcome (
    receipt_id bigint not null references selection.receipt,
    ref bigint not null,
    rank integer not null,
    calls integer not null check (calls > 0),
    successes integer not null check (successes between 0 and calls),
    duration_ms real,
    primary key (receipt_id, ref)
);
comment on table selection.outcome is 'Offers that were called, and how that went; one row an offer.';
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
comment on table selection.judgement is 'What goals taught: cards that were called for them with success, and cards offered above those and not called.';

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
comment on table selection.utility is 'What calls have shown of a card; no row for one that was never called. Renewed by selection.refresh_utility.';
comment on column selection.utility.success_rate is 'Shrunk towards the rate of the kind, as much as calls are few.';
comment on column selection.utility.p95_ms is '95th percentile of the duration, shrunk in the same way.';
comment on column selection.utility.success_gain is 'success_rate minus that of the kind.';
comment on column selection.utility.latency_loss is 'Slowness, p95 / (p95 + 5 s), minus that of the kind.';

alter table selection.canary enable row level security;
alter table selection.canary force row level security;
alter table selection.pool enable row level security;
alter table selection.pool force row level security;
alter table selection.outcome enable row level security;
alter table selection.outcome force row level security;
alter table selection.judgement enable row level security;
alter table selection.judgement force row level security;
alter table selection.utility enable row level security;
alter table selection.utility force row level security;
