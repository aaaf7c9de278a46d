-- Quarantine and approval of tools, findings of the scan, probes.
-- One transaction with the service stopped or waiting, so locks and rewrites are no risk; callers of the dropped are changed with it.
-- squawk-ignore-file ban-drop-function, require-concurrent-index-creation, adding-field-with-default, adding-foreign-key-constraint, constraint-missing-not-valid
drop function if exists api.get_refresh(bigint);
drop function if exists api.store_tools(bigint, jsonb);
drop function if exists catalog.put_tools(jsonb);

alter table catalog.origin
add column approval text check (approval in ('none', 'changes', 'all'));
comment on column catalog.origin.approval is
'Which of its tools wait for approval: none, those that changed, all new ones too; null: what the setting catalog.approval says.';

alter table catalog.tool
add column status text not null default 'approved'
check (status in ('approved', 'pending', 'quarantined', 'deprecated')),
add column status_reason text not null default '',
add column status_at timestamptz not null default now(),
add column approved_version integer,
add column downrank real not null default 0 check (downrank between 0 and 1),
add column downrank_reason text not null default '',
add column dishonesty real not null default 0 check (dishonesty between 0 and 1);
-- Look-alikes of Cyrillic, Greek and full width after Unicode Technical Standard 39, and of digits.
alter table catalog.tool
add column is_live boolean not null
generated always as (status = 'approved' and deprecated_at is null) stored,
add column skeleton text not null generated always as (
    regexp_replace(
        translate(
            lower(normalize(name, nfkc)), 'аеорсухіјѕһԁԛԝαεοριυνκ10|5', 'aeopcyxijshdqwaeopiuvklols'
        ), '[^[:alnum:]]+', '', 'g'
    )
) stored;
create index tool_skeleton_idx on catalog.tool (skeleton);
comment on column catalog.tool.skeleton is
'What the name looks like at a glance: letters and digits, look-alikes folded into one.';
comment on column catalog.tool.status is
'approved; pending: new or changed, waits for approval; quarantined: by the scan or an operator; deprecated: by an operator.';
comment on column catalog.tool.approved_version is 'The version that was approved last; null where none was.';
comment on column catalog.tool.downrank is 'What an operator takes off its value in selections: 0 nothing, 1 it comes last.';
comment on column catalog.tool.dishonesty is 'What its probes take off its value: 0 nothing; see calls.judge_probes.';
comment on column catalog.tool.is_live is 'Found, described and called: approved, and its origin still offers it.';
create index tool_withheld_idx on catalog.tool (origin_id)
where status in ('pending', 'quarantined');

alter table catalog.tool_version
add column approved_at timestamptz,
add column approved_by bigint references policy.principal;
create index tool_version_approved_by_idx on catalog.tool_version (approved_by);
comment on column catalog.tool_version.approved_at is 'Since when it may be offered; null while it waits, or is in quarantine.';
comment on column catalog.tool_version.approved_by is 'Who looked at it and approved it; null where the origin''s approval let it in.';

-- What was offered until now was approved by whoever added its origin.
update catalog.tool
set approved_version = version;
update catalog.tool_version
set approved_at = valid_from;

alter table catalog.refresh add column withheld integer not null default 0;
comment on column catalog.refresh.withheld is 'How many of the added and changed tools wait for approval or are in quarantine.';

create table catalog.scan_rule (
    name text primary key check (name ~ '^[a-z][a-z_]{0,40}$'),
    attack text not null,
    severity text not null check (severity in ('low', 'medium', 'high')),
    meaning text not null,
    members text[] not null default '{}',
    words text not null default '',
    pattern text,
    enabled boolean not null default true
);
comment on table catalog.scan_rule is 'What the scan of definitions looks for. A high finding, or two medium ones of different attacks, puts a tool into quarantine.';
comment on column catalog.scan_rule.attack is 'Class of attack, as published.';
comment on column catalog.scan_rule.members is 'Members of a definition that it reads; empty for all.';
comment on column catalog.scan_rule.words is 'Regular expression of words alone, one of which the pattern needs: a quick look before the long one.';
comment on column catalog.scan_rule.pattern is 'Regular expression, case-insensitive; null where a function decides (catalog.scan_imitation, catalog.scan_duplicates).';

create table catalog.finding (
    tool_id bigint not null,
    version integer not null,
    rule text not null references catalog.scan_rule on delete cascade,
    member text not null,
    severity text not null check (severity in ('low', 'medium', 'high')),
    evidence text not null,
    found_at timestamptz not null,
    primary key (tool_id, version, rule, member),
    foreign key (tool_id, version) references catalog.tool_version
);
create index finding_rule_idx on catalog.finding (rule);
comment on table catalog.finding is 'What the scan found in a version of a tool, and where.';
comment on column catalog.finding.evidence is 'The text that the rule met, with what stands around it; invisible characters as U+XXXX.';

create table calls.probe (
    call_id bigint primary key references calls.call,
    tool_id bigint not null references catalog.tool,
    tool_version integer not null,
    example integer not null check (example >= 0),
    is_honest boolean,
    problem text not null default '',
    probed_at timestamptz not null
);
create index probe_tool_idx on calls.probe (tool_id, probed_at desc);
comment on table calls.probe is 'Calls of side-effect-free tools on their own examples, made to see whether they keep what they promise.';
comment on column calls.probe.is_honest is 'False where its own example is refused, its result is not what its schema says, or it reports a change though it only reads; null where it could not be judged.';

alter table catalog.tool add column probed_at timestamptz;
comment on column catalog.tool.probed_at is 'When it was probed last, or tried to be; -infinity where it has been asked for.';
create index tool_probe_asked_idx on catalog.tool (id)
where probed_at = '-infinity';

alter table catalog.scan_rule enable row level security;
alter table catalog.scan_rule force row level security;
alter table catalog.finding enable row level security;
alter table catalog.finding force row level security;
alter table calls.probe enable row level security;
alter table calls.probe force row level security;
