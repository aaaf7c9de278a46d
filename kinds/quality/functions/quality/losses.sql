-- quality.losses: two findings of the same weakness, or of the same rule, in the same line count once. In long files,
-- findings cost less in some categories (quality.category.lines). A file that becomes worse never loses fewer points:
-- this holds for more findings, higher complexity and lower coverage. With a baseline, only new problems count:
-- findings that are not in the baseline, numbers that are worse than in the baseline, and the coverage of the new
-- lines.
create or replace function quality.losses(p_file_version_id bigint, p_baseline_id bigint default null)
returns table (
    category text, points numeric, tool text, rule text, line integer, finding_id bigint, why text, remedy text
)
language sql
stable parallel safe security invoker
rows 30
set search_path = pg_catalog, pg_temp
as $function$
    with measured as materialized (
        select s.tool, m.name, coalesce(n.value, m.value) as value
        from quality.latest_scans(p_file_version_id) as s
        inner join quality.metric as m on m.scan_id = s.id
        left join quality.metric as n on n.scan_id = s.id and n.name = 'new_' || m.name and p_baseline_id is not null
        where s.status = 'ok' and m.state = 'known'
    ),

    costs as (
        select distinct on (f.category collate core.c_utf8, f.line, d.same collate core.c_utf8)
            f.category,
            p.points * least(1, c.lines / nullif(l.lines, 0)) as scaled,
            p.points,
            f.tool,
            f.rule,
            f.line,
            f.id,
            f.message,
            f.remedy
        from quality.findings(p_file_version_id) as f
        inner join quality.category as c on c.name = f.category
        inner join quality.penalty as p on p.category = f.category and p.severity = f.severity
        left join quality.weakness as w on w.cwe = f.cwe
        cross join lateral (select coalesce(w.parent::text, f.cwe::text, f.rule) as same) as d
        cross join lateral (select max(m.value) as lines from measured as m where m.name = 'lines_of_code') as l
        where
            f.counts
            and (
                p_baseline_id is null
                or f.fingerprint not in (select b.fingerprint from quality.findings(p_baseline_id) as b)
            )
        order by f.category collate core.c_utf8, f.line, d.same collate core.c_utf8, p.points desc, f.id
    ),

    numbers as (
        select distinct on (q.category, q.metric)
            q.category, q.metric, m.tool, m.value,
            q.points * greatest(0, least(1, (m.value - q.best) / (q.worst - q.best)) - coalesce(b.share, 0)) as points,
            q.reason
        from quality.measure as q
        inner join measured as m on m.name = q.metric
        left join lateral (
            select greatest(0, least(1, (n.value - q.best) / (q.worst - q.best))) as share
            from quality.latest_scans(p_baseline_id) as s
            inner join quality.metric as n on n.scan_id = s.id
            where n.name = q.metric and s.status = 'ok' and q.category <> 'test_coverage'
            limit 1
        ) as b on true
        order by q.category, q.metric, points desc
    )

    select c.category, round(coalesce(c.scaled, c.points), 3), c.tool, c.rule, c.line, c.id, c.message, c.remedy
    from costs as c
    where c.points > 0
    union all
    select
        n.category,
        round(n.points, 3),
        n.tool,
        n.metric,
        null,
        null,
        format('%s is %s. %s', n.metric, round(n.value, 2), n.reason),
        ''
    from numbers as n
    where n.points > 0
    order by 1, 2 desc, 5;
$function$;
comment on function quality.losses(bigint, bigint) is
'Explains the scores of a file: returns one row for each reason for which points were lost. Arguments: '
'p_file_version_id: id of the version of the file; p_baseline_id: id of an earlier version of the file (null: no '
'comparison). With an earlier version, only new findings, and measured values that have become worse, cost points. '
'Returns for each row: category, lost points, checker, rule or measured value, line, id of the finding, reason and '
'remedy.';
grant execute on function quality.losses to qm_reader;
