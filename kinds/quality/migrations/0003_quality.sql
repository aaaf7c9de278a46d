-- Databases that were made from the repository before 28 November 2026 get what 0001 has had since then: it was edited
-- while nothing froze it. In every other database this changes nothing.

-- squawk-ignore-file adding-field-with-default, ban-drop-default, ban-drop-not-null, ban-drop-constraint
-- squawk-ignore-file constraint-missing-not-valid
alter table quality.checker add column if not exists can_read boolean not null default true;
alter table quality.succession add column if not exists same_name boolean not null default false;
alter table quality.succession alter column same_name drop default;
alter table quality.finding add column if not exists name text not null default '';
alter table quality.finding alter column name drop default;
alter table quality.gate_result alter column passed drop not null;
alter table quality.gate_result drop constraint gate_result_explained;
alter table quality.gate_result
add constraint gate_result_explained check (passed is not false or failures <> '[]');

comment on table quality.category is
'The categories of a score. A file has a score from 0 (worst) to 10 (best) in each of them. The weights add up to 1.';
comment on column quality.category.needs_all is
'True: if a checker did not read the whole file, the score of the category is unknown. False: the score is computed '
'without this checker.';
comment on column quality.category.lines is
'If a file has more lines of code than this, its findings cost fewer points, in proportion. Null: the length does not '
'matter.';
comment on table quality.checker is
'The checkers of each category, for each language of a file. The shares in a category and language add up to 1.';
comment on column quality.checker.can_read is
'False: no checker reads this language for weaknesses. The row makes the answer say so.';
comment on table quality.assignment is
'Assigns findings to categories, by the checker (* for any checker) and by a regular expression for the rule. The '
'first matching row decides.';
comment on table quality.succession is
'Rules for findings that are only hints if another checker (the successor) has read the whole file.';
comment on column quality.succession.only_modelled is
'Whether the row applies only to weaknesses that the taint pass looks for.';
comment on column quality.succession.same_name is
'Whether the row applies only if the successor has a finding about the same name at the same place.';
comment on table quality.penalty is 'How many points the score of a category loses for a finding, by its severity.';
comment on table quality.measure is
'How many points the score of a category loses for a measured number: none up to the best value, all points from the '
'worst value on, and in proportion between them.';
comment on column quality.weakness.is_modelled is
'Whether the taint pass looks for this weakness. If so, findings of other checkers about it are hints.';
comment on column quality.weakness.parent is
'The weakness that the taint pass reports instead of this one. Null: there is none.';
comment on column quality.gate_condition.metric is
'The measured value: overall; the name of a category; coverage (percent); or a number: failed_checkers, high_findings, '
'missing_calls, broken_decisions or unread_language.';
comment on column quality.gate_condition.on_new_code is
'True: the condition applies only if new code is judged. False: only if the whole file is judged. Null: always.';
comment on column quality.gate_condition.on_missing is
'What happens if the value is unknown: fail (the file does not pass) or warn.';
comment on table quality.task_step is
'The tools that a session should use for each type of task. The checklist lists them.';
comment on column quality.task_step.is_per_file is
'Whether the tool must have read the present version of each changed file.';
comment on table quality.file_version is
'Versions of files that were scanned. The newest version is the one that was seen last.';
comment on table quality.scan is
'Scans: the result of one checker for one version of a file. The key contains everything on which the result depends. '
'So no scan is repeated needlessly, and no result is used for another file.';
comment on column quality.scan.status is
'ok: the checker read the whole file. degraded: it read only a part. skipped: it is not installed. error: it failed, '
'did not end, or could not parse the file. Only with ok, the file counts as read.';
comment on column quality.scan.used_at is
'When the scan was last made or requested. Of each checker, only the newest scan is used.';
comment on column quality.finding.name is
'The name in the code that does not exist; empty if the finding is about something else.';
comment on column quality.finding.fingerprint is
'Keyed hash of the rule, the text of the line, and the number of earlier lines with this text. It does not change if '
'the line moves.';
comment on column quality.finding.steps is 'How data gets from its source to the dangerous call: [{line, text}].';
comment on column quality.finding.is_hint is 'Whether the finding affects neither scores nor gates.';
comment on table quality.metric is 'Numbers that a checker measured. If there is no row, the number is unknown.';
comment on column quality.metric.state is 'stale: the number was measured on another version of the file.';
comment on column quality.baseline.file_version_id is
'The version. Null: the commit does not contain the file, so the whole file is new.';
comment on table quality.session is
'The work of one agent in one project. The agent identifies the session by its handle.';
comment on column quality.session.base_commit is
'The newest commit when the session began. Later commits belong to the work of the session. Null: there was no commit, '
'or the commit is not known.';
comment on column quality.step.subject is
'What the tool was used for, if not for a file, such as the library that was looked up.';
comment on table quality.gate_result is 'The results of quality gates. Each row is one check of one file.';
comment on column quality.gate_result.passed is
'Whether the file passed. Null: nothing failed, but no checker reads the language of the file.';
comment on table quality.waiver is
'Exceptions that a person has granted for a limited time: a condition of the gates (such as coverage) that a file need '
'not meet, or a finding that does not count.';
comment on table quality.feedback is 'Ratings of the quality tools by agents. They affect neither scores nor gates.';
