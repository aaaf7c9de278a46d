-- The errors of this domain.
insert into core.error_code (slug, status, retryable, meaning, next_step)
values
(
    'file_not_scanned', 404, false,
    'No checker has read this file yet.',
    'Scan it with: qm quality score PATH, or with the tool tapps_score_file.'
),
(
    'preset_not_found', 404, false,
    'There is no gate with this name.',
    'Use "standard", "strict" or "framework".'
),
(
    'session_not_found', 404, false,
    'This session does not exist, or it is not yours.',
    'Get a session from tapps_server_info, or leave the argument out.'
),
(
    'project_not_trusted', 403, false,
    'The service reads files only in projects that an administrator has added.',
    'Ask an administrator to add the project, and to make you a member of it: qm project add, qm '
    'project members.'
),
(
    'waiver_refused', 403, false,
    'Only people may waive a condition of a gate, not agents or services.',
    'Ask a person who is a member of the project.'
),
(
    'weights_invalid', 422, false,
    'Weights and shares of a score must add up to 1.',
    'Change the other rows in the same transaction.'
),
(
    'note_not_found', 404, false,
    'The session has no note with this key.',
    'List the notes with the action "list".'
);

-- How files are judged. Whoever wants other weights changes this file; a score is explained by these rows.
insert into quality.category (name, weight, needs_all, lines, reason)
values
('security', 0.27, true, null, 'One vulnerability is enough for an attack, even in a long file.'),
('maintainability', 0.24, false, 200, 'Most of the cost of code arises after the code is written.'),
('complexity', 0.18, false, 200, 'Code with many branches usually has many untested branches.'),
('test_coverage', 0.13, false, null, 'Nobody notices an error in a line that no test runs.'),
(
    'performance', 0.08, false, 200,
    'Points are lost only for code patterns that are slow in every program.'
),
('structure', 0.05, false, 200, 'Long signatures and dead code hide what a module is for.'),
('devex', 0.05, false, 200, 'Every public name needs a sentence that explains it.')
on conflict (name) do update
    set
        weight = excluded.weight,
        needs_all = excluded.needs_all,
        lines = excluded.lines,
        reason = excluded.reason;

delete from quality.checker;
insert into quality.checker (category, tool, language, share, remedy)
values
('security', 'taint', 'python', 0.4, 'Report the file as a bug: the taint rules cannot read it.'),
('security', 'bandit', 'python', 0.3, 'pip install bandit'),
('security', 'ruff', 'python', 0.1, 'pip install ruff'),
('security', 'secrets', 'python', 0.15, 'pip install detect-secrets'),
('security', 'messaging', 'python', 0.05, 'Report the file as a bug: these rules cannot read it.'),
(
    'security',
    'taint',
    'other',
    0.5,
    'Have a person review the file: no scanner reads this language.'
),
('security', 'secrets', 'other', 0.5, 'pip install detect-secrets'),
(
    'security',
    'taint',
    'script',
    0.5,
    'Have a person review the file: no scanner reads this language.'
),
('security', 'secrets', 'script', 0.5, 'pip install detect-secrets'),
('security', 'secrets', 'text', 1, 'pip install detect-secrets'),
('security', 'secrets', 'config', 0.5, 'pip install detect-secrets'),
(
    'security',
    'config',
    'config',
    0.5,
    'Report the file as a bug: the rules for configuration files cannot read it.'
),
(
    'maintainability',
    'config',
    'config',
    1,
    'Report the file as a bug: the rules for configuration files cannot read it.'
),
('maintainability', 'ruff', 'python', 0.3, 'pip install ruff'),
('maintainability', 'mypy', 'python', 0.3, 'pip install mypy'),
('maintainability', 'radon', 'python', 0.3, 'pip install radon'),
('maintainability', 'decisions', 'python', 0.1, 'Score the file again.'),
('complexity', 'radon', 'python', 1, 'pip install radon'),
('complexity', 'lizard', 'other', 1, 'pip install lizard'),
('test_coverage', 'coverage', 'python', 1, 'coverage run -m pytest'),
('performance', 'ruff', 'python', 1, 'pip install ruff'),
('structure', 'ruff', 'python', 0.6, 'pip install ruff'),
('structure', 'vulture', 'python', 0.4, 'pip install vulture'),
('devex', 'ruff', 'python', 1, 'pip install ruff');

update quality.checker set can_read = false
where tool = 'taint' and language in ('other', 'script');

delete from quality.assignment;
insert into quality.assignment (place, tool, rule, category)
values
(1, 'taint', '.', 'security'),
(2, 'bandit', '.', 'security'),
(3, 'secrets', '.', 'security'),
(4, 'ruff', '^S[0-9]', 'security'),
(5, 'ruff', '^(C901|PLR0912)$', 'complexity'),
(6, 'ruff', '^PLR09', 'structure'),
(7, 'ruff', '^(PERF|ASYNC)', 'performance'),
(8, 'ruff', '^D[0-9]', 'devex'),
(9, 'vulture', '.', 'structure'),
(10, 'radon', '^complexity', 'complexity'),
(11, 'lizard', '^complexity', 'complexity'),
(12, 'config', '^maintainability-', 'maintainability'),
(13, 'config', '.', 'security'),
(14, 'messaging', '.', 'security'),
(15, '*', '.', 'maintainability');

delete from quality.succession;
insert into quality.succession (tool, rule, successor, only_modelled, same_name, reason)
values
(
    'bandit', '.', 'taint', true, false,
    'The taint pass follows the data from its source. bandit sees only the call.'
),
(
    'ruff',
    '^S[0-9]',
    'taint',
    true,
    false,
    'The taint pass follows the data from its source. ruff sees only the call.'
),
('ruff', '^(C901|PLR0912)$', 'radon', false, false, 'radon reports the same finding.'),
('ty', '.', 'mypy', false, false, 'mypy reports the same finding.'),
(
    'mypy',
    '^(attr-defined|union-attr|call-arg)$',
    'call_sites',
    false,
    true,
    'The comparison with the installed packages also suggests the nearest existing name.'
);

delete from quality.penalty;
insert into quality.penalty (category, severity, points, reason)
select
    c.name,
    s.severity,
    s.points * c.factor as points,
    s.reason
from (
    values
    ('critical', 10, 'One such finding is enough to make the file unusable.'),
    ('high', 4, 'Two such findings make a file bad.'),
    ('medium', 1.5, 'A few such findings are acceptable.'),
    ('low', 0.5, 'Such findings are matters of style.')
) as s (severity, points, reason)
cross join (
    values ('security', 1.0),
    ('maintainability', 0.5),
    ('complexity', 1.0),
    ('performance', 0.6),
    ('structure', 1.0),
    ('devex', 0.6),
    ('test_coverage', 0)
) as c (name, factor);

delete from quality.measure;
insert into quality.measure (metric, category, best, worst, points, reason)
values
(
    'coverage_percent', 'test_coverage', 100, 0, 10,
    'Each missing percentage point of coverage costs the same number of points.'
),
(
    'complexity_mean',
    'complexity',
    4,
    15,
    5,
    'Functions in good libraries typically have 2 to 4 branches.'
),
('complexity_max', 'complexity', 10, 50, 4, 'The most complex function is the most error-prone.'),
(
    'maintainability_index',
    'maintainability',
    60,
    10,
    4,
    'This is radon''s maintainability index. Values of 20 or more get the best rank.'
);

insert into quality.weakness (cwe, owasp, is_modelled, parent)
values
(22, 'A01:2021 Broken Access Control', true, null),
(23, 'A01:2021 Broken Access Control', false, 22),
(36, 'A01:2021 Broken Access Control', false, 22),
(73, 'A04:2021 Insecure Design', false, 22),
(200, 'A01:2021 Broken Access Control', false, null),
(276, 'A01:2021 Broken Access Control', false, null),
(352, 'A01:2021 Broken Access Control', false, null),
(377, 'A01:2021 Broken Access Control', true, null),
(379, 'A01:2021 Broken Access Control', false, 377),
(601, 'A01:2021 Broken Access Control', true, null),
(605, 'A05:2021 Security Misconfiguration', false, null),
(732, 'A01:2021 Broken Access Control', false, null),
(295, 'A07:2021 Identification and Authentication Failures', true, null),
(319, 'A02:2021 Cryptographic Failures', false, null),
(326, 'A02:2021 Cryptographic Failures', false, null),
(327, 'A02:2021 Cryptographic Failures', false, 328),
(328, 'A02:2021 Cryptographic Failures', true, null),
(330, 'A02:2021 Cryptographic Failures', true, null),
(338, 'A02:2021 Cryptographic Failures', false, 330),
(347, 'A02:2021 Cryptographic Failures', true, null),
(916, 'A02:2021 Cryptographic Failures', false, 328),
(20, 'A03:2021 Injection', false, null),
(77, 'A03:2021 Injection', false, 78),
(78, 'A03:2021 Injection', true, null),
(79, 'A03:2021 Injection', true, null),
(80, 'A03:2021 Injection', false, 79),
(88, 'A03:2021 Injection', false, 78),
(89, 'A03:2021 Injection', true, null),
(90, 'A03:2021 Injection', true, null),
(94, 'A03:2021 Injection', true, null),
(95, 'A03:2021 Injection', false, 94),
(117, 'A09:2021 Security Logging and Monitoring Failures', true, null),
(532, 'A09:2021 Security Logging and Monitoring Failures', false, null),
(643, 'A03:2021 Injection', true, null),
(1336, 'A03:2021 Injection', true, null),
(209, 'A04:2021 Insecure Design', false, null),
(501, 'A04:2021 Insecure Design', true, null),
(522, 'A04:2021 Insecure Design', false, null),
(611, 'A05:2021 Security Misconfiguration', true, null),
(614, 'A05:2021 Security Misconfiguration', true, null),
(776, 'A05:2021 Security Misconfiguration', false, 611),
(16, 'A05:2021 Security Misconfiguration', false, null),
(489, 'A05:2021 Security Misconfiguration', false, null),
(1004, 'A05:2021 Security Misconfiguration', false, 614),
(1104, 'A06:2021 Vulnerable and Outdated Components', false, null),
(208, 'A07:2021 Identification and Authentication Failures', true, null),
(259, 'A07:2021 Identification and Authentication Failures', false, 798),
(287, 'A07:2021 Identification and Authentication Failures', false, null),
(798, 'A07:2021 Identification and Authentication Failures', true, null),
(345, 'A08:2021 Software and Data Integrity Failures', false, null),
(502, 'A08:2021 Software and Data Integrity Failures', true, null),
(703, 'A09:2021 Security Logging and Monitoring Failures', false, null),
(918, 'A10:2021 Server-Side Request Forgery', true, null)
on conflict (cwe) do update
    set owasp = excluded.owasp, is_modelled = excluded.is_modelled, parent = excluded.parent;

insert into quality.gate_preset (name, description)
values
('standard', 'For most code: 70 of 100 overall, security 7 of 10, test coverage 75 %.'),
(
    'strict',
    'For important code: 80 of 100 overall, security 8 of 10, test coverage 80 %.'
),
(
    'framework',
    'For libraries and frameworks: 75 of 100 overall, security 8.5 of 10, test coverage 75 %.'
)
on conflict (name) do update set description = excluded.description;

delete from quality.gate_condition;
insert into quality.gate_condition (
    preset, metric, minimum, maximum, on_new_code, on_missing, reason
)
select
    p.name,
    c.*
from
    (values ('standard', 70, 7, 75), ('strict', 80, 8, 80), ('framework', 75, 8.5, 75))
        as p (name, overall, security, coverage)
cross join lateral (
    values
    (
        'overall', p.overall, null::numeric, null::boolean, 'fail',
        'The overall score must not be too low.'
    ),
    (
        'security', p.security, null, null, 'fail',
        'Code that no checker has read must not count as secure.'
    ),
    (
        'coverage', p.coverage, null, null, 'fail',
        'If no test runs the code, nobody knows whether it works.'
    ),
    (
        'failed_checkers',
        null,
        0,
        null,
        'fail',
        'If a checker failed, the file may have problems that nobody has seen.'
    ),
    (
        'missing_calls',
        null,
        0,
        false,
        'fail',
        'Code that uses a name or a keyword that the installed packages do not have will crash, '
        'however good the rest of the code is.'
    ),
    ('high_findings', null, 0, true, 'fail', 'New code must not add serious findings.'),
    ('broken_decisions', null, 0, null, 'warn', 'Canonical decisions apply to all code.')
) as c (metric, minimum, maximum, on_new_code, on_missing, reason);

insert into quality.gate_condition (
    preset, metric, minimum, maximum, on_new_code, on_missing, reason
)
values
(
    'strict',
    'unread_language',
    null,
    0,
    null,
    'fail',
    'A scanner must read important code. If no scanner can, a person must read the code and waive '
    'this condition.'
),
(
    'strict',
    'suppressions',
    null,
    0,
    null,
    'fail',
    'Whoever writes important code must not decide alone which findings are left out.'
);

-- What people are told about a condition, in each situation.
delete from quality.condition_text;
insert into quality.condition_text (metric, situation, text)
values
('security', 'unread', 'security: not checked. {unread} Only secrets were looked for.'),
('overall', 'unread', 'overall: unknown, because security was not checked.'),
('', 'at_most', '{metric}: at most {rounded} < {minimum} minimum'),
('', 'waived', '{metric}: waived until {until} by {by}: {reason}'),
('', 'unknown', '{metric}: unknown. Not read by {missing}.'),
('coverage', 'unknown', 'coverage: unknown. {missing}'),
(
    'coverage', 'unmeasured',
    'coverage: unknown. The coverage of the new lines was not measured. Use tapps_quality_gate '
    'with new_code.'
),
(
    'suppressions', 'unknown',
    'suppressions: unknown. Nobody has looked for words that tell checkers to be silent. Scan the '
    'file again.'
),
('', 'measured', '{metric}: {rounded}{unit} < {minimum}{unit} minimum'),
(
    'failed_checkers', 'measured',
    'failed_checkers: {missing} failed. Repeat the scan; a checker that fails again needs '
    'attention.'
),
(
    'broken_decisions', 'measured', 'broken_decisions: {value} places do not follow {missing}'
),
(
    'unread_language', 'measured',
    'unread_language: {missing} The gate {preset} asks for it: a person who has read the file can '
    'waive this.'
),
(
    'suppressions', 'measured',
    'suppressions: checkers are told to be silent ({missing}). Remove the words, or let a person '
    'waive them.'
),
('high_findings', 'measured', 'high_findings: {value} new findings are serious'),
(
    'missing_calls', 'measured',
    'missing_calls: the installed packages do not have what is used in {missing}. A person can '
    'waive this.'
);

delete from quality.task_step;
insert into quality.task_step (task_type, tool, is_required, is_per_file, reason)
select
    t.task_type,
    s.*
from (values ('feature'), ('bugfix'), ('refactor'), ('config'), ('general')) as t (task_type)
cross join lateral (
    values
    (
        'tapps_quality_gate',
        t.task_type <> 'config',
        true,
        'the work is done only when the file passes the gate'
    ),
    ('tapps_score_file', t.task_type <> 'config', true, 'the score shows what to improve'),
    (
        'tapps_lookup_docs',
        t.task_type in ('feature', 'bugfix', 'general'),
        true,
        'libraries change, and it is easy to invent names that do not exist'
    ),
    (
        'tapps_validate_config',
        t.task_type = 'config',
        true,
        'configuration files have their own rules'
    ),
    (
        'tapps_impact_analysis',
        t.task_type = 'refactor',
        true,
        'other files may depend on what was changed'
    ),
    ('tapps_security_scan', false, true, 'it shows more about security than the score does'),
    ('tapps_project_profile', false, false, 'it shows what the project uses'),
    (
        'tapps_session_notes', false, false,
        'notes help the agent to remember decisions in a long session'
    )
) as s (tool, is_required, is_per_file, reason);

-- What code quality adds to projects and tasks.
select selection.put_task_part('gate', 30, 'quality.task_gates', p_needs_project => true);
select core.put_hook('project_removed', 'quality.project_removed');
select core.put_hook('project_facts', 'quality.project_facts', 10);
select core.put_hook('file_changed', 'quality.file_changed');
