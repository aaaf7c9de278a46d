-- Code quality: scans, findings, scores, gates.

create schema quality;
comment on schema quality is 'Code quality: scans of files, their findings, scores and gates.';

-- What is judged how: reference data, with a reason in each row.

create table quality.category (
    name text primary key,
    weight numeric not null check (weight > 0 and weight <= 1),
    needs_all boolean not null,
    lines numeric check (lines > 0),
    reason text not null check (reason <> '')
);
alter table quality.category enable row level security, force row level security;
comment on table quality.category is
'The categories of a score. A file has a score from 0 (worst) to 10 (best) in each of them. The weights add up to 1.';
comment on column quality.category.weight is 'Share of the category in the overall score.';
comment on column quality.category.needs_all is
'True: if a checker did not read the whole file, the score of the category is unknown. False: the score is computed '
'without this checker.';
comment on column quality.category.lines is
'If a file has more lines of code than this, its findings cost fewer points, in proportion. Null: the length does not '
'matter.';

create table quality.checker (
    category text not null references quality.category,
    tool text not null,
    language text not null,
    share numeric not null check (share > 0 and share <= 1),
    can_read boolean not null default true,
    remedy text not null check (remedy <> ''),
    primary key (category, tool, language)
);
alter table quality.checker enable row level security, force row level security;
comment on table quality.checker is
'The checkers of each category, for each language of a file. The shares in a category and language add up to 1.';
comment on column quality.checker.language is 'Language of the file, as quality.language_of names it.';
comment on column quality.checker.can_read is
'False: no checker reads this language for weaknesses. The row makes the answer say so.';
comment on column quality.checker.remedy is 'What to do if the checker did not read the file.';

create table quality.assignment (
    place integer primary key,
    tool text not null,
    rule text not null check (rule <> ''),
    category text not null references quality.category
);
alter table quality.assignment enable row level security, force row level security;
create index assignment_category_idx on quality.assignment (category);
comment on table quality.assignment is
'Assigns findings to categories, by the checker (* for any checker) and by a regular expression for the rule. The '
'first matching row decides.';

create table quality.succession (
    tool text not null,
    rule text not null check (rule <> ''),
    successor text not null,
    only_modelled boolean not null,
    same_name boolean not null,
    reason text not null check (reason <> ''),
    primary key (tool, rule)
);
alter table quality.succession enable row level security, force row level security;
comment on table quality.succession is
'Rules for findings that are only hints if another checker (the successor) has read the whole file.';
comment on column quality.succession.only_modelled is
'Whether the row applies only to weaknesses that the taint pass looks for.';
comment on column quality.succession.same_name is
'Whether the row applies only if the successor has a finding about the same name at the same place.';

create table quality.penalty (
    category text not null references quality.category,
    severity text not null check (severity in ('low', 'medium', 'high', 'critical')),
    points numeric not null check (points >= 0),
    reason text not null check (reason <> ''),
    primary key (category, severity)
);
alter table quality.penalty enable row level security, force row level security;
comment on table quality.penalty is 'How many points the score of a category loses for a finding, by its severity.';

create table quality.measure (
    metric text not null,
    category text not null references quality.category,
    best numeric not null,
    worst numeric not null check (worst <> best),
    points numeric not null check (points > 0),
    reason text not null check (reason <> ''),
    primary key (metric, category)
);
alter table quality.measure enable row level security, force row level security;
create index measure_category_idx on quality.measure (category);
comment on table quality.measure is
'How many points the score of a category loses for a measured number: none up to the best value, all points from the '
'worst value on, and in proportion between them.';

create table quality.weakness (
    cwe integer primary key,
    owasp text not null check (owasp ~ '^A[01][0-9]:2021 '),
    is_modelled boolean not null default false,
    parent integer
);
alter table quality.weakness enable row level security, force row level security;
comment on table quality.weakness is 'Weaknesses (CWE) with their class in the OWASP Top 10 of 2021.';
comment on column quality.weakness.is_modelled is
'Whether the taint pass looks for this weakness. If so, findings of other checkers about it are hints.';
comment on column quality.weakness.parent is
'The weakness that the taint pass reports instead of this one. Null: there is none.';

create table quality.gate_preset (
    name text primary key,
    description text not null
);
alter table quality.gate_preset enable row level security, force row level security;
comment on table quality.gate_preset is 'Gates: sets of conditions that a file must meet.';

create table quality.gate_condition (
    preset text not null references quality.gate_preset,
    metric text not null,
    minimum numeric,
    maximum numeric,
    on_new_code boolean,
    on_missing text not null check (on_missing in ('fail', 'warn')),
    reason text not null check (reason <> ''),
    primary key (preset, metric),
    constraint gate_condition_bounded check (num_nonnulls(minimum, maximum) = 1)
);
alter table quality.gate_condition enable row level security, force row level security;
comment on table quality.gate_condition is 'The conditions of each gate.';
comment on column quality.gate_condition.metric is
'The measured value: overall; the name of a category; coverage (percent); or a number: failed_checkers, high_findings, '
'missing_calls, broken_decisions or unread_language.';
comment on column quality.gate_condition.on_new_code is
'True: the condition applies only if new code is judged. False: only if the whole file is judged. Null: always.';
comment on column quality.gate_condition.on_missing is
'What happens if the value is unknown: fail (the file does not pass) or warn.';

create table quality.task_step (
    task_type text not null,
    tool text not null,
    is_required boolean not null,
    is_per_file boolean not null,
    reason text not null check (reason <> ''),
    primary key (task_type, tool)
);
alter table quality.task_step enable row level security, force row level security;
comment on table quality.task_step is
'The tools that a session should use for each type of task. The checklist lists them.';
comment on column quality.task_step.is_per_file is
'Whether the tool must have read the present version of each changed file.';

-- What was found.

create table quality.file_version (
    id bigint generated always as identity primary key,
    project_id integer not null references projects.project on delete cascade,
    path text not null check (path <> '' and length(path) <= 4096),
    blob_hash text not null check (blob_hash ~ '^[0-9a-f]{40}$'),
    language text not null,
    seen_at timestamptz not null,
    constraint file_version_key unique (project_id, path, blob_hash)
);
alter table quality.file_version enable row level security, force row level security;
comment on table quality.file_version is
'Versions of files that were scanned. The newest version is the one that was seen last.';
comment on column quality.file_version.blob_hash is 'Git object id (SHA-1) of the contents of the file.';

create table quality.scan (
    id bigint generated always as identity primary key,
    file_version_id bigint not null references quality.file_version on delete cascade,
    tool text not null check (tool <> ''),
    tool_version text not null,
    config_hash text not null,
    context_hash text not null,
    status text not null check (status in ('ok', 'degraded', 'skipped', 'error')),
    reason text not null,
    elapsed_ms real not null check (elapsed_ms >= 0),
    scanned_at timestamptz not null,
    used_at timestamptz not null,
    constraint scan_key unique (file_version_id, tool, tool_version, config_hash, context_hash),
    constraint scan_reasoned check (status = 'ok' or reason <> '')
);
alter table quality.scan enable row level security, force row level security;
comment on table quality.scan is
'Scans: the result of one checker for one version of a file. The key contains everything on which the result depends. '
'So no scan is repeated needlessly, and no result is used for another file.';
comment on column quality.scan.context_hash is 'Hash of all other files that the checker read, such as imported modules.';
comment on column quality.scan.status is
'ok: the checker read the whole file. degraded: it read only a part. skipped: it is not installed. error: it failed, '
'did not end, or could not parse the file. Only with ok, the file counts as read.';
comment on column quality.scan.used_at is
'When the scan was last made or requested. Of each checker, only the newest scan is used.';

create table quality.finding (
    id bigint generated always as identity primary key,
    scan_id bigint not null references quality.scan on delete cascade,
    rule text not null check (rule <> ''),
    name text not null,
    message text not null,
    severity text not null check (severity in ('low', 'medium', 'high', 'critical')),
    cwe integer check (cwe > 0),
    line integer not null check (line >= 0),
    end_line integer check (end_line >= line),
    first_column integer not null check (first_column >= 0),
    fingerprint text not null check (fingerprint <> ''),
    remedy text not null,
    steps jsonb not null check (jsonb_typeof(steps) = 'array'),
    is_hint boolean not null
);
alter table quality.finding enable row level security, force row level security;
create index finding_scan_idx on quality.finding (scan_id);
comment on table quality.finding is 'Places in a file that break a rule. No row contains the value of a secret.';
comment on column quality.finding.name is
'The name in the code that does not exist; empty if the finding is about something else.';
comment on column quality.finding.fingerprint is
'Keyed hash of the rule, the text of the line, and the number of earlier lines with this text. It does not change if '
'the line moves.';
comment on column quality.finding.steps is 'How data gets from its source to the dangerous call: [{line, text}].';
comment on column quality.finding.is_hint is 'Whether the finding affects neither scores nor gates.';

create table quality.metric (
    scan_id bigint not null references quality.scan on delete cascade,
    name text not null,
    value numeric not null,
    state text not null check (state in ('known', 'stale')),
    primary key (scan_id, name)
);
alter table quality.metric enable row level security, force row level security;
comment on table quality.metric is 'Numbers that a checker measured. If there is no row, the number is unknown.';
comment on column quality.metric.state is 'stale: the number was measured on another version of the file.';

create table quality.baseline (
    project_id integer not null references projects.project on delete cascade,
    path text not null,
    commit text not null,
    file_version_id bigint references quality.file_version on delete cascade,
    set_at timestamptz not null,
    primary key (project_id, path)
);
alter table quality.baseline enable row level security, force row level security;
create index baseline_file_version_idx on quality.baseline (file_version_id);
comment on table quality.baseline is 'The version of each file with which new code is compared.';
comment on column quality.baseline.file_version_id is
'The version. Null: the commit does not contain the file, so the whole file is new.';

create table quality.session (
    id bigint generated always as identity primary key,
    handle text not null unique default replace(gen_random_uuid()::text, '-', ''),
    project_id integer not null references projects.project on delete cascade,
    principal_id bigint not null references policy.principal on delete cascade,
    base_commit text check (base_commit ~ '^[0-9a-f]{40,64}$'),
    started_at timestamptz not null,
    used_at timestamptz not null
);
alter table quality.session enable row level security, force row level security;
create index session_owner_idx on quality.session (principal_id, project_id, used_at desc);
create index session_project_idx on quality.session (project_id);
comment on table quality.session is
'The work of one agent in one project. The agent identifies the session by its handle.';
comment on column quality.session.base_commit is
'The newest commit when the session began. Later commits belong to the work of the session. Null: there was no commit, '
'or the commit is not known.';

create table quality.note (
    session_id bigint not null references quality.session on delete cascade,
    key text not null check (key <> '' and length(key) <= 200),
    value text not null check (length(value) <= 20000),
    saved_at timestamptz not null,
    primary key (session_id, key)
);
alter table quality.note enable row level security, force row level security;
comment on table quality.note is 'Notes of a session.';

create table quality.step (
    id bigint generated always as identity primary key,
    session_id bigint not null references quality.session on delete cascade,
    tool text not null,
    path text,
    blob_hash text,
    passed boolean,
    subject text,
    elapsed_ms real check (elapsed_ms >= 0),
    taken_at timestamptz not null
);
alter table quality.step enable row level security, force row level security;
create index step_session_idx on quality.step (session_id, tool);
comment on table quality.step is 'Which tools a session has used, for which version of which file.';
comment on column quality.step.subject is
'What the tool was used for, if not for a file, such as the library that was looked up.';

create table quality.gate_result (
    id bigint generated always as identity primary key,
    file_version_id bigint not null references quality.file_version on delete cascade,
    session_id bigint references quality.session on delete set null,
    principal_id bigint references policy.principal on delete set null,
    preset text not null references quality.gate_preset,
    new_code boolean not null,
    passed boolean,
    score numeric,
    failures jsonb not null check (jsonb_typeof(failures) = 'array'),
    judged_at timestamptz not null,
    constraint gate_result_explained check (passed is not false or failures <> '[]')
);
alter table quality.gate_result enable row level security, force row level security;
create index gate_result_file_version_idx on quality.gate_result (file_version_id, judged_at desc);
create index gate_result_session_idx on quality.gate_result (session_id);
create index gate_result_principal_idx on quality.gate_result (principal_id);
create index gate_result_preset_idx on quality.gate_result (preset);
comment on table quality.gate_result is 'The results of quality gates. Each row is one check of one file.';
comment on column quality.gate_result.passed is
'Whether the file passed. Null: nothing failed, but no checker reads the language of the file.';

create table quality.waiver (
    id bigint generated always as identity primary key,
    project_id integer not null references projects.project on delete cascade,
    path text not null,
    what text not null check (what <> ''),
    reason text not null check (length(btrim(reason)) >= 10),
    granted_by bigint references policy.principal on delete set null,
    granted_at timestamptz not null,
    expires_at timestamptz not null check (expires_at > granted_at)
);
alter table quality.waiver enable row level security, force row level security;
create index waiver_project_idx on quality.waiver (project_id, path);
create index waiver_granted_by_idx on quality.waiver (granted_by);
comment on table quality.waiver is
'Exceptions that a person has granted for a limited time: a condition of the gates (such as coverage) that a file need '
'not meet, or a finding that does not count.';
comment on column quality.waiver.what is 'Name of a condition, or fingerprint of a finding.';

create table quality.feedback (
    id bigint generated always as identity primary key,
    project_id integer not null references projects.project on delete cascade,
    principal_id bigint references policy.principal on delete set null,
    tool text not null,
    rating integer not null check (rating between 1 and 10),
    comment text not null check (length(comment) <= 4000),
    given_at timestamptz not null
);
alter table quality.feedback enable row level security, force row level security;
create index feedback_project_idx on quality.feedback (project_id);
create index feedback_principal_idx on quality.feedback (principal_id);
comment on table quality.feedback is 'Ratings of the quality tools by agents. They affect neither scores nor gates.';
