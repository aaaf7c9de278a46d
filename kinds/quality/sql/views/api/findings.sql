create or replace view api.findings with (security_invoker = true) as
select
    f.project_name as project,
    f.path,
    f.line,
    f.severity,
    f.rule,
    f.message,
    f.counts,
    f.tool,
    f.category,
    f.cwe,
    f.remedy,
    f.because,
    f.fingerprint
from api.list_findings() as f;
comment on view api.findings is
'Findings of the last scans, in the projects of which you are a member. Example: `select path, line, rule, message '
'from findings where counts limit 10;`';
comment on column api.findings.project is 'The project, as OWNER/NAME.';
comment on column api.findings.path is 'The file, below the root of the project.';
comment on column api.findings.line is 'The line in the file.';
comment on column api.findings.severity is 'critical, high, medium or low.';
comment on column api.findings.rule is 'The rule of the checker that the line breaks.';
comment on column api.findings.message is 'What is wrong.';
comment on column api.findings.counts is 'Whether the finding affects the score.';
comment on column api.findings.tool is 'The checker that found it.';
comment on column api.findings.category is 'The category of the score that it affects.';
comment on column api.findings.cwe is 'The weakness (CWE); null if there is none.';
comment on column api.findings.remedy is 'What to do about it.';
comment on column api.findings.because is 'Why the finding does not count; empty if it does.';
comment on column api.findings.fingerprint is 'What waive takes to permit this finding.';
grant select on api.findings to qm_user;
