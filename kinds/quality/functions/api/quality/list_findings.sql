-- api.list_findings: row policies show only files of the caller's projects. The newest version of a file is the one
-- that was seen last, as in quality.file_version.
create or replace function api.list_findings(project text default null)
returns table (
    project_name text,
    path text,
    line integer,
    severity text,
    rule text,
    message text,
    counts boolean,
    tool text,
    category text,
    cwe integer,
    remedy text,
    because text,
    fingerprint text
)
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id constant integer := case
        when list_findings.project is not null then projects.find(list_findings.project)
    end;
begin
    perform policy.require_principal();
    return query
    select
        projects.principal_name(p.owner_id) || '/' || p.name,
        v.path,
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
    from (
        select distinct on (x.project_id, x.path) x.id, x.project_id, x.path
        from quality.file_version as x
        where v_project_id is null or x.project_id = v_project_id
        order by x.project_id, x.path, x.seen_at desc, x.id desc
    ) as v
    inner join projects.project as p on p.id = v.project_id
    cross join lateral quality.findings(v.id) as f
    order by p.name, v.path, f.line, f.tool collate core.c_utf8, f.rule collate core.c_utf8, f.id;
end
$function$;
comment on function api.list_findings(text) is
'Lists the findings of the last scans of all files, in the projects of which the caller is a member. Example: `select '
'* from list_findings();` Argument project: list only findings in this project, as NAME or OWNER/NAME (null: all '
'projects of the caller). Returns for each finding: the project, as OWNER/NAME; the file and the line; the severity; '
'the rule; the message; whether the finding affects the score; the checker; the category; the CWE class; the remedy; '
'the reason if the finding does not count; and the fingerprint, by which it can be waived. Raises QM403 '
'principal_unknown, QM404 project_not_found. Can be null: cwe.';
alter function api.list_findings owner to qm_reader;
grant execute on function api.list_findings to qm_user;
