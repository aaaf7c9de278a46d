-- Decisions: what a code base has decided, with evidence. Miners and agents propose candidates; only people who were
-- appointed as curators of decisions make them canonical.

create schema decisions;
comment on schema decisions is 'Decisions of projects: candidates, evidence, reviews and outcomes.';

create table decisions.decision (
    id bigint generated always as identity primary key,
    project_id integer not null references projects.project on delete cascade,
    pattern text not null check (pattern ~ '\S' and length(pattern) <= 500),
    scope_kind text not null check (scope_kind in ('path', 'module', 'language', 'global')),
    scope_value text not null check (
        length(scope_value) <= 500 and (scope_value = '') = (scope_kind = 'global')
    ),
    scope_prefix text not null generated always as (
        case scope_kind when 'path' then substring(scope_value from '^[^*?]*') else '' end
    ) stored,
    polarity text not null check (polarity in ('do', 'avoid')),
    instead text not null default '' check (length(instead) <= 500),
    rationale text not null default '' check (length(rationale) <= 4000),
    applies_when text not null default '' check (length(applies_when) <= 1000),
    rejected_alternatives text[] not null default '{}',
    keywords text[] not null default '{}',
    confidence text not null check (confidence in ('low', 'medium', 'high')),
    status text not null default 'candidate' check (
        status in ('candidate', 'canonical', 'rejected')
    ),
    origin text not null check (origin in ('bootstrap', 'agent_submitted', 'imported')),
    miner text,
    check_definition jsonb check (jsonb_typeof(check_definition) = 'object'),
    statistics jsonb not null default '{}' check (jsonb_typeof(statistics) = 'object'),
    importance real not null default 0,
    health text not null default 'fresh' check (
        health in ('fresh', 'suspect', 'contested', 'obsolete')
    ),
    health_reason text not null default '',
    valid_from text,
    last_verified text,
    superseded_by bigint references decisions.decision,
    suspicion text not null default '',
    created_at timestamptz not null,
    created_by bigint references policy.principal,
    updated_at timestamptz not null,
    fingerprint bytea not null check (length(fingerprint) = 32),
    constraint decision_fingerprint_key unique (project_id, fingerprint),
    constraint decision_superseded_by_another check (superseded_by <> id)
);
alter table decisions.decision enable row level security, force row level security;
comment on table decisions.decision is
'Decisions of projects. Each decision begins as a candidate. A trigger allows only curators of decisions to make it '
'canonical.';
comment on column decisions.decision.pattern is 'The instruction: what to do or to avoid.';
comment on column decisions.decision.scope_value is
'A glob of paths, the name of a module, or a language; empty for the whole project.';
comment on column decisions.decision.scope_prefix is
'The beginning of the glob, without wildcards, by which overlapping scopes are found.';
comment on column decisions.decision.instead is 'What not to do. If the polarity is avoid: what to do instead.';
comment on column decisions.decision.miner is
'The miner that proposed the decision. Null: an agent or a person proposed it.';
comment on column decisions.decision.check_definition is
'How new code is compared with the decision, in one of the forms in decisions.check_form. Null: new code cannot be '
'compared.';
comment on column decisions.decision.statistics is 'What the miner counted, such as cases, followed, lift and trend.';
comment on column decisions.decision.importance is
'How much the decision matters, as its miner estimates. Lists are sorted by this number.';
comment on column decisions.decision.health is
'Whether the code still follows the decision: fresh (it does), suspect (the evidence no longer exists), contested (new '
'code does not follow it), or obsolete (what the decision names no longer exists).';
comment on column decisions.decision.valid_from is 'Commit at which the decision was found.';
comment on column decisions.decision.last_verified is 'Commit at which the decision was last compared with the code.';
comment on column decisions.decision.superseded_by is 'The decision that replaces this one. Null: none does.';
comment on column decisions.decision.suspicion is
'What the scan for attacks found in the texts. Curators can read it. Empty: the scan found nothing.';
comment on column decisions.decision.fingerprint is
'SHA-256 of the scope, the polarity and the words of the pattern. A project cannot contain two decisions with the same '
'fingerprint.';
create index decision_superseded_by_idx on decisions.decision (superseded_by);
create index decision_created_by_idx on decisions.decision (created_by);
create index decision_check_idx on decisions.decision using hash (check_definition);
create index decision_status_idx on decisions.decision (project_id, status, scope_prefix);

create table decisions.place (
    decision_id bigint not null references decisions.decision on delete cascade,
    project_id integer not null references projects.project on delete cascade,
    role text not null check (role in ('scope', 'check', 'except')),
    glob text not null,
    prefix text not null collate "C",
    suffix text not null collate "C",
    shape text not null check (shape in ('file', 'tree', 'folder', 'name', 'expression')),
    expression text not null,
    depth real not null check (depth >= 0 and depth < 1),
    primary key (decision_id, role, glob)
);
alter table decisions.place enable row level security, force row level security;
comment on table decisions.place is
'The globs of decisions, split into parts, so that an index can find the globs that match a path. A trigger writes the '
'rows.';
comment on column decisions.place.role is
'scope: the glob says where the decision applies; check: files to which its check applies; except: files to which its '
'check does not apply.';
comment on column decisions.place.prefix is 'The beginning of the glob, without wildcards.';
comment on column decisions.place.suffix is 'The end of the glob, after its last wildcard.';
comment on column decisions.place.shape is
'What is between prefix and suffix: nothing (file), ** (tree), * (folder), **/ and a name (name), or anything else '
'(expression).';
comment on column decisions.place.expression is 'The glob as a regular expression, if the shape is expression.';
comment on column decisions.place.depth is
'How narrow the glob is: 0 if it names no folder or file, close to 1 if it names many.';
create index place_prefix_idx on decisions.place (project_id, prefix);

create table decisions.evidence (
    id bigint generated always as identity primary key,
    decision_id bigint not null references decisions.decision on delete cascade,
    kind text not null check (kind in ('file', 'commit', 'document')),
    path text check (length(path) <= 1000),
    line integer check (line > 0),
    end_line integer check (end_line >= line),
    blob text check (length(blob) <= 64),
    line_hash text check (length(line_hash) <= 64),
    commit_hash text check (length(commit_hash) <= 64),
    excerpt text not null default '' check (length(excerpt) <= 1000),
    role text not null check (role in ('supports', 'contradicts')),
    is_gone boolean not null default false,
    is_reviewed boolean not null default false,
    check (path is not null or commit_hash is not null)
);
alter table decisions.evidence enable row level security, force row level security;
comment on table decisions.evidence is 'Evidence of decisions: lines of files, paragraphs of documents, and commits.';
comment on column decisions.evidence.excerpt is
'A few lines of text, with secrets masked. Agents get the place of the evidence, but never this text.';
comment on column decisions.evidence.is_gone is 'Whether the lines no longer existed at the last refresh.';
comment on column decisions.evidence.is_reviewed is
'Whether the evidence was there when a curator approved the decision. Agents get no other evidence.';
create index evidence_decision_idx on decisions.evidence (decision_id);

create table decisions.link (
    from_id bigint not null references decisions.decision on delete cascade,
    to_id bigint not null references decisions.decision on delete cascade,
    kind text not null check (kind in ('duplicate', 'contradicts', 'supersedes')),
    reason text not null default '',
    created_at timestamptz not null,
    resolved_at timestamptz,
    resolved_by bigint references policy.principal,
    primary key (from_id, to_id, kind),
    check (from_id <> to_id)
);
alter table decisions.link enable row level security, force row level security;
comment on table decisions.link is
'Pairs of decisions that say the same thing, contradict each other, or replace each other.';
comment on column decisions.link.resolved_at is
'When a curator decided that both decisions are valid. Null: nobody has decided this.';
create index link_to_idx on decisions.link (to_id);
create index link_resolved_by_idx on decisions.link (resolved_by);

create table decisions.review (
    id bigint generated always as identity primary key,
    decision_id bigint not null references decisions.decision on delete cascade,
    at timestamptz not null,
    principal_id bigint not null references policy.principal,
    action text not null check (
        action in ('approve', 'reject', 'reopen', 'edit', 'merge', 'supersede', 'resolve', 'import')
    ),
    reason text not null default '' check (length(reason) <= 2000),
    commit_hash text,
    before jsonb not null default '{}',
    after jsonb not null default '{}'
);
alter table decisions.review enable row level security, force row level security;
comment on table decisions.review is 'What curators decided, and why. Rows are added, but never changed.';
comment on column decisions.review.commit_hash is
'The commit that contains the review, if the decision was imported as reviewed.';
create index review_decision_idx on decisions.review (decision_id);
create index review_principal_idx on decisions.review (principal_id);

create table decisions.refusal (
    id bigint generated always as identity primary key,
    project_id integer not null references projects.project on delete cascade,
    at timestamptz not null,
    principal_id bigint not null references policy.principal,
    pattern text not null,
    miner text,
    reason text not null
);
alter table decisions.refusal enable row level security, force row level security;
comment on table decisions.refusal is 'Candidates that were refused, and why.';
create index refusal_project_idx on decisions.refusal (project_id, at desc);
create index refusal_principal_idx on decisions.refusal (principal_id);

create table decisions.packet (
    id bigint generated always as identity primary key,
    project_id integer not null references projects.project on delete cascade,
    place integer not null,
    scope text not null check (length(scope) <= 500),
    commit_hash text not null check (length(commit_hash) <= 64),
    evidence jsonb not null check (jsonb_typeof(evidence) = 'array'),
    created_at timestamptz not null,
    taken_at timestamptz,
    answered_at timestamptz,
    answered_by bigint references policy.principal,
    fingerprint bytea not null check (length(fingerprint) = 32),
    constraint packet_fingerprint_key unique (project_id, fingerprint)
);
alter table decisions.packet enable row level security, force row level security;
comment on table decisions.packet is
'Numbered evidence about one area of the code, from which a model may propose decisions. Instructions in the evidence '
'are not followed.';
comment on column decisions.packet.place is 'Position in the order in which agents get the packets, from 1.';
comment on column decisions.packet.evidence is
'Array of {id, level: structure, excerpts or diffs, kind, path, line, end_line, commit, blob, line_hash, text}, with '
'secrets masked.';
comment on column decisions.packet.taken_at is 'When an agent last got the packet. Null: never.';
create index packet_answered_by_idx on decisions.packet (answered_by);

create table decisions.outcome (
    decision_id bigint not null references decisions.decision on delete cascade,
    receipt_id bigint not null,
    commit_hash text not null check (length(commit_hash) <= 64),
    outcome text not null check (outcome in ('followed', 'violated', 'not_applicable')),
    at timestamptz not null,
    primary key (decision_id, receipt_id, commit_hash)
);
alter table decisions.outcome enable row level security, force row level security;
comment on table decisions.outcome is 'Whether later commits followed the decisions that agents got.';
comment on column decisions.outcome.receipt_id is
'Id of the receipt in selection.receipt, where rows are deleted after some time.';

create table decisions.check_form (
    form text primary key,
    description text not null,
    schema jsonb not null check (jsonb_typeof(schema) = 'object')
);
alter table decisions.check_form enable row level security, force row level security;
comment on table decisions.check_form is
'The forms that a check can have, each with its JSON Schema. No other forms are possible.';

create table decisions.tier (
    number integer primary key check (number > 0),
    name text not null,
    about text not null check (about in ('path', 'everything', 'elsewhere')),
    least_topic real not null check (least_topic between 0 and 1),
    enough_place real check (enough_place > 0),
    least_confidence text not null check (least_confidence in ('low', 'medium', 'high')),
    only_sources boolean not null,
    most integer not null check (most > 0),
    reason text not null
);
alter table decisions.tier enable row level security, force row level security;
comment on table decisions.tier is
'The groups in which agents get decisions. A decision belongs to the first tier whose conditions it meets. If it meets '
'the conditions of none, agents do not get it.';
comment on column decisions.tier.name is 'The name of the tier in answers to agents.';
comment on column decisions.tier.about is
'What a decision of this tier is about: the path, everything (or the language of the path), or other paths '
'(elsewhere).';
comment on column decisions.tier.least_topic is
'How much the decision must have in common with the task: the share of the words of the task that it contains, in '
'which rare words count more.';
comment on column decisions.tier.enough_place is
'How closely the scope must match the path (decisions.places_at), so that the task does not matter. Null: the task '
'always matters.';
comment on column decisions.tier.only_sources is
'Whether only files of a known language, and no folders, get decisions of this tier.';
comment on column decisions.tier.most is 'Maximum number of decisions of this tier in an answer.';
comment on column decisions.tier.reason is 'Why these limits were chosen.';
