-- One item for whatever an origin offers: tools, resources, templates of resources, prompts, and what it says of itself.
-- One transaction with the service stopped or waiting, so locks and rewrites are no risk; callers of the dropped are changed with it.
-- squawk-ignore-file ban-drop-table, ban-drop-function, ban-drop-column, require-concurrent-index-creation, adding-foreign-key-constraint, constraint-missing-not-valid, adding-not-nullable-field, disallowed-unique-constraint
alter table search.kind
add column name_member text not null default 'name',
add column naming text not null default 'callable' check (naming in ('callable', 'own')),
add column definition_function text,
add column version_function text,
add column labels_function text;
comment on column search.kind.name_member is 'Member of a definition that names it at its origin.';
comment on column search.kind.naming is 'callable: clients know an item as origin__name; own: by the name that its origin gave it, with a prefix where another origin had it first.';
comment on column search.kind.definition_function is 'The form in which a definition is kept: f(given jsonb) returns jsonb. Null: as it is given.';
comment on column search.kind.version_function is 'The part of a definition whose change makes a version: f(definition jsonb) returns jsonb. Null: all of it.';
comment on column search.kind.labels_function is 'What rules can name: f(definition jsonb) returns jsonb {categories, traits}. Null: neither.';

drop table catalog.asset, catalog.asset_version, catalog.asset_finding, snapshots.asset_member cascade;
drop table catalog.finding, catalog.offer, snapshots.member, catalog.tool_version, catalog.tool cascade;

create table catalog.item (
    id bigint generated always as identity primary key,
    origin_id bigint not null references catalog.origin,
    kind text not null references search.kind,
    name text not null check (name <> '' and length(name) <= 2000),
    public_name text not null,
    version integer not null default 1 check (version > 0),
    definition jsonb not null check (jsonb_typeof(definition) = 'object'),
    content_hash bytea not null,
    brief text not null default '',
    categories text[] not null default '{}',
    traits text[],
    status text not null default 'approved'
    check (status in ('approved', 'pending', 'quarantined', 'deprecated')),
    status_reason text not null default '',
    status_at timestamptz not null default now(),
    approved_version integer,
    downrank real not null default 0 check (downrank between 0 and 1),
    downrank_reason text not null default '',
    dishonesty real not null default 0 check (dishonesty between 0 and 1),
    first_seen_at timestamptz not null default now(),
    last_seen_at timestamptz not null default now(),
    deprecated_at timestamptz,
    rights_class integer not null default 0,
    is_live boolean not null
    generated always as (status = 'approved' and deprecated_at is null) stored,
    -- Look-alikes of Cyrillic, Greek and full width after Unicode Technical Standard 39, and of digits.
    skeleton text not null generated always as (
        regexp_replace(
            translate(
                lower(normalize(left(name, 200), nfkc)), 'аеорсухіјѕһԁԛԝαεοριυνκ10|5', 'aeopcyxijshdqwaeopiuvklols'
            ), '[^[:alnum:]]+', '', 'g'
        )
    ) stored,
    constraint item_name_key unique (origin_id, kind, name),
    constraint item_public_name_key unique (kind, public_name)
);
create index item_skeleton_idx on catalog.item (skeleton);
create index item_withheld_idx on catalog.item (origin_id)
where status in ('pending', 'quarantined');
comment on table catalog.item is 'Whatever an origin offers, of any kind, in its newest version.';
comment on column catalog.item.name is 'As its origin names it: the name of a tool or prompt, a URI, a URI template.';
comment on column catalog.item.public_name is 'Under which clients know it (search.kind.naming); given once, never changed.';
comment on column catalog.item.definition is 'As its origin lists it, in the form of its kind.';
comment on column catalog.item.content_hash is 'SHA-256 of the part of the definition that makes a version (search.kind.version_function).';
comment on column catalog.item.brief is 'The first sentence of its description.';
comment on column catalog.item.categories is 'Labels that rules can name.';
comment on column catalog.item.traits is 'Which of read_only and destructive apply to it; null where its kind has no such traits.';
comment on column catalog.item.status is
'approved; pending: new or changed, waits for approval; quarantined: by the scan or an operator; deprecated: by an operator.';
comment on column catalog.item.approved_version is 'The version that was approved last; null where none was.';
comment on column catalog.item.downrank is 'What an operator takes off its value in selections: 0 nothing, 1 it comes last.';
comment on column catalog.item.dishonesty is 'What its probes take off its value: 0 nothing; see calls.judge_probes.';
comment on column catalog.item.deprecated_at is 'Since when its origin no longer offers it; such an item is neither found nor used.';
comment on column catalog.item.rights_class is 'Number in policy.rights_class, kept by triggers.';
comment on column catalog.item.is_live is 'Found, described and used: approved, and its origin still offers it.';
comment on column catalog.item.skeleton is 'The look of the name: letters and digits, look-alikes folded into one.';

create table catalog.item_version (
    item_id bigint not null references catalog.item,
    version integer not null,
    valid_from timestamptz not null,
    valid_to timestamptz check (valid_to >= valid_from),
    content_hash bytea not null,
    definition jsonb not null,
    approved_at timestamptz,
    approved_by bigint references policy.principal,
    primary key (item_id, version)
);
create unique index item_version_current_idx on catalog.item_version (item_id)
where valid_to is null;
create index item_version_approved_by_idx on catalog.item_version (approved_by);
comment on table catalog.item_version is 'The versions of each item, valid from (inclusive) to (exclusive).';
comment on column catalog.item_version.definition is 'As it was when the version began.';
comment on column catalog.item_version.content_hash is 'As in catalog.item.';
comment on column catalog.item_version.approved_at is 'Since when it may be offered; null while it waits, or is in quarantine.';
comment on column catalog.item_version.approved_by is 'Who looked at it and approved it; null where the origin''s approval let it in.';

create table catalog.finding (
    item_id bigint not null,
    version integer not null,
    rule text not null references catalog.scan_rule on delete cascade,
    member text not null,
    severity text not null check (severity in ('low', 'medium', 'high')),
    evidence text not null,
    found_at timestamptz not null,
    primary key (item_id, version, rule, member),
    foreign key (item_id, version) references catalog.item_version
);
create index finding_rule_idx on catalog.finding (rule);
comment on table catalog.finding is 'What the scan found in a version of an item, and where.';
comment on column catalog.finding.evidence is 'The text that the rule met, with what stands around it; invisible characters as U+XXXX.';

create table catalog.offer (
    id bigint generated always as identity primary key,
    item_id bigint not null references catalog.item on delete cascade,
    version integer not null,
    valid_from timestamptz not null,
    valid_to timestamptz check (valid_to > valid_from)
);
create unique index offer_open_idx on catalog.offer (item_id) where valid_to is null;
create index offer_item_version_idx on catalog.offer (item_id, version);
comment on table catalog.offer is 'When which version of an item was live; from (inclusive) to (exclusive).';
comment on column catalog.offer.valid_to is 'Null while it is offered.';

create table snapshots.member (
    snapshot_id bigint not null references snapshots.snapshot on delete cascade,
    item_id bigint not null,
    version integer not null,
    definition_hash bytea not null check (length(definition_hash) = 32),
    primary key (snapshot_id, item_id),
    foreign key (item_id, version) references catalog.item_version
);
create index member_item_version_idx on snapshots.member (item_id, version);
comment on table snapshots.member is 'The items of each snapshot, each in the version that was offered.';
alter table snapshots.snapshot
drop column tools,
drop column assets,
add column items jsonb not null check (jsonb_typeof(items) = 'object');
comment on column snapshots.snapshot.items is 'How many items of each kind: {kind: count}.';
comment on column snapshots.snapshot.content_hash is
'SHA-256 over the lines "KIND NAME HASH" of its items by kind and public name (byte order), HASH the SHA-256 of the definition in hexadecimal.';

create table calls.probe_turn (
    tool_id bigint primary key references catalog.item on delete cascade,
    probed_at timestamptz not null
);
create index probe_turn_asked_idx on calls.probe_turn (tool_id) where probed_at = '-infinity';
comment on table calls.probe_turn is 'When each tool was probed last, or a probe of it was tried; -infinity where somebody has asked for one.';

alter table calls.probe add foreign key (tool_id) references catalog.item;
alter table calls.terms add foreign key (tool_id) references catalog.item on delete cascade;
alter table calls.answer add foreign key (tool_id) references catalog.item on delete cascade;
alter table calls.pace add foreign key (tool_id) references catalog.item;
comment on column calls.call.tool_id is 'Of catalog.item, whose rows stay; null of what is no tool call.';
comment on column catalog.refresh.deprecated is 'How many items it did not find any more.';
comment on column catalog.refresh.rejected is 'Definitions that were left out: array of {kind, name, reason}.';

alter table catalog.item enable row level security;
alter table catalog.item force row level security;
alter table catalog.item_version enable row level security;
alter table catalog.item_version force row level security;
alter table catalog.finding enable row level security;
alter table catalog.finding force row level security;
alter table catalog.offer enable row level security;
alter table catalog.offer force row level security;
alter table snapshots.member enable row level security;
alter table snapshots.member force row level security;
alter table calls.probe_turn enable row level security;
alter table calls.probe_turn force row level security;
