-- quality.findings: lists the findings of the last scans of a file, and says for each whether it counts.
-- A finding does not count if it is a hint, if a person has waived it, or if another checker knows better
-- (quality.succession).
create or replace function quality.findings(p_file_version_id bigint)
returns table (
    id bigint, tool text, rule text, category text, severity text, cwe integer, owasp text, line integer, end_line integer,
    message text, remedy text, steps jsonb, fingerprint text, counts boolean, because text
)
language sql
stable parallel safe security invoker
rows 50
set search_path = pg_catalog, pg_temp
as $function$
    with latest as materialized (
        select * from quality.latest_scans(p_file_version_id)
    )

    select
        f.id, s.tool, f.rule, a.category, f.severity, f.cwe, w.owasp, f.line, f.end_line, f.message, f.remedy, f.steps, f.fingerprint,
        not f.is_hint and n.reason is null and g.because is null,
        coalesce(g.because, n.reason, case when f.is_hint then 'It is a hint.' end, '')
    from latest as s
    inner join quality.file_version as v on v.id = s.file_version_id
    inner join quality.finding as f on f.scan_id = s.id
    left join quality.weakness as w on w.cwe = f.cwe
    left join quality.weakness as k on k.cwe = w.parent
    cross join lateral (
        select a.category from quality.assignment as a
        where a.tool in (s.tool, '*') and f.rule ~ a.rule
        order by a.place
        limit 1
    ) as a
    left join lateral (
        select x.reason from quality.succession as x
        where
            x.tool = s.tool and f.rule ~ x.rule
            and exists (select from latest as l where l.tool = x.successor and l.status = 'ok')
            and (not x.only_modelled or coalesce(w.is_modelled, false) or coalesce(k.is_modelled, false))
        limit 1
    ) as n on true
    left join lateral (
        select format('%s has waived it until %s: %s', projects.principal_name(x.granted_by), x.expires_at::date, x.reason) as because
        from quality.waiver as x
        where x.project_id = v.project_id and x.path = v.path and x.what = f.fingerprint and x.expires_at > core.now()
        limit 1
    ) as g on true
    order by f.line, s.tool, f.rule, f.id;
$function$;
comment on function quality.findings(bigint) is
'Lists the findings of the last scans. Argument p_file_version_id: id of the version of the file. Returns for each its '
'checker, rule, category, severity, CWE and OWASP class, place, message, remedy, steps, fingerprint, whether it counts, '
'and why not.';
grant execute on function quality.findings to qm_reader;
