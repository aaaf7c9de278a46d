-- quality.counted_findings: with a baseline, findings that are in the baseline do not count.
create or replace function quality.counted_findings(p_file_version_id bigint, p_baseline_id bigint)
returns table (tool text, rule text, severity text, line integer, message text, remedy text)
language sql
stable parallel safe security invoker
rows 20
set search_path = pg_catalog, pg_temp
as $function$
    select distinct on (f.line, d.same collate core.c_utf8) f.tool, f.rule, f.severity, f.line, f.message, f.remedy
    from quality.findings(p_file_version_id) as f
    left join quality.weakness as w on w.cwe = f.cwe
    cross join lateral (select coalesce(w.parent::text, f.cwe::text, f.rule) as same) as d
    where
        f.counts
        and f.category <> 'test_coverage'
        and (
            p_baseline_id is null
            or f.fingerprint not in (select b.fingerprint from quality.findings(p_baseline_id) as b)
        )
    order by f.line, d.same collate core.c_utf8, array_position('{critical,high,medium,low}', f.severity), f.id;
$function$;
comment on function quality.counted_findings(bigint, bigint) is
'Lists those findings in a version of a file that affect the score of the file. If several findings report the same '
'weakness on the same line, only the most severe of them is listed. Findings about test coverage are not listed. '
'Arguments: p_file_version_id: id of the version; p_baseline_id: id of an earlier version to compare with (null: no '
'comparison). With an earlier version, lists only new findings. Returns for each finding: the checker, the rule, the '
'severity, the line, the message and the remedy.';
grant execute on function quality.counted_findings to qm_reader;
