create or replace function api.findings(path text, project text default null)
returns table (
    finding bigint,
    tool text,
    rule text,
    category text,
    severity text,
    cwe integer,
    owasp text,
    line integer,
    end_line integer,
    message text,
    remedy text,
    steps jsonb,
    fingerprint text,
    counts boolean,
    because text
)
language sql
stable parallel safe security definer
rows 50
set search_path = pg_catalog, pg_temp
as $function$
    select
        f.id, f.tool, f.rule, f.category, f.severity, f.cwe, f.owasp, f.line, f.end_line, f.message, f.remedy, f.steps,
        f.fingerprint, f.counts, f.because
    from quality.findings(quality.file_version(projects.find(findings.project), findings.path)) as f;
$function$;
comment on function api.findings(text, text) is
'Lists the findings of the last scans of a file. Arguments: path: path below the root of the project; project: the '
'project, as NAME or OWNER/NAME (null: your only project). Returns for each finding: the checker; the rule; the '
'category; the severity; the CWE class and the OWASP class; the place in the file; the message; the remedy; the steps '
'from the source of the data to the dangerous call; the fingerprint of the finding; whether the finding affects the '
'score; and if not, the reason. Can be null: cwe, owasp, end_line.';
alter function api.findings owner to qm_reader;
grant execute on function api.findings to qm_user;
