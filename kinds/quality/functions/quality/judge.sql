-- quality.judge: compares a version of a file with the conditions of a gate.
-- A value that nobody knows fails, or warns if the condition says so. A waived condition warns. In a language that no
-- checker reads, security and the overall score are not checked ("unread"), unless what was read is bad enough to fail.
-- Raises: QM404 preset_not_found.
create or replace function quality.judge(p_file_version_id bigint, p_preset text, p_baseline_id bigint, p_new_code boolean)
returns table (metric text, value numeric, minimum numeric, maximum numeric, verdict text, told text)
language plpgsql
stable parallel safe security invoker
rows 6
set search_path = pg_catalog, pg_temp
as $function$
begin
    if not exists (select from quality.gate_preset as p where p.name = p_preset) then
        perform core.fail(
            'preset_not_found', format('there is no gate called %L', left(p_preset, 100)), null,
            format('Use one of: %s.', (select string_agg(p.name, ', ' order by p.name) from quality.gate_preset as p))
        );
    end if;
    return query
    with scored as materialized (
        select * from quality.scores(p_file_version_id, p_baseline_id)
    ),

    checked as materialized (
        select * from quality.checkers(p_file_version_id)
    ),

    counted as materialized (
        select c.tool, c.rule, c.line
        from quality.counted_findings(p_file_version_id, p_baseline_id) as c
        where c.severity in ('high', 'critical') or c.tool = 'decisions'
    ),

    unread as (
        select string_agg(distinct c.reason collate core.c_utf8, ' ') as reason
        from checked as c
        where c.category = 'security' and c.status <> 'ok'
        having bool_and(not c.can_read)
    ),

    measured as (
        -- Of what nobody can read, the best value that it can have is compared.
        select
            s.category as metric,
            coalesce(s.score, case when u.reason is not null then b.best - coalesce(s.lost, 0) end) as value,
            '' as unit,
            array_to_string(s.missing, ', ') as missing,
            case when s.score is null and b.best is not null then u.reason end as unread
        from scored as s
        left join unread as u on true
        cross join lateral (
            select case
                when s.category = 'security' then 10
                -- Null if a checker that can read the language did not.
                when s.category = 'overall' and not exists (
                    select from scored as o where o.score is null and o.category not in ('overall', 'security')
                ) then 100
            end
        ) as b (best)
        union all
        select 'unread_language', 1, '', u.reason, null from unread as u
        union all
        select 'failed_checkers', count(distinct c.tool), '', string_agg(distinct c.tool collate core.c_utf8, ', '), null
        from (
            select k.tool, k.status from checked as k
            union all
            (
                select s.tool, s.status from quality.scan as s
                where s.file_version_id = p_file_version_id and s.tool = 'suppressions'
                order by s.used_at desc, s.id desc
                limit 1
            )
        ) as c
        where c.status = 'error'
        union all
        select 'high_findings', count(*), '', null, null
        from counted as c
        where c.tool <> 'decisions'
        union all
        select 'missing_calls', count(*), '', string_agg('line ' || c.line, ', ' order by c.line), null
        from counted as c
        where c.tool = 'call_sites'
        union all
        select
            'broken_decisions',
            case when bool_and(c.status = 'ok') then (select count(*) from counted as f where f.tool = 'decisions') end,
            '',
            case when bool_and(c.status = 'ok') then (select string_agg(distinct f.rule collate core.c_utf8, ', ') from counted as f where f.tool = 'decisions') else min(c.tool collate core.c_utf8) end,
            null
        from checked as c
        where c.tool = 'decisions'
        having count(*) > 0
        union all
        -- Null if nobody has looked for them.
        select
            'suppressions', (
                select count(*) filter (where w.quiets and not w.is_waived) from quality.suppressions(p_file_version_id, p_baseline_id) as w
                having exists (select from quality.latest_scans(p_file_version_id) as s where s.tool = 'suppressions' and s.status = 'ok')
            ), '', (
                select string_agg(w.message, '; ' order by w.line, w.word collate core.c_utf8)
                from quality.suppressions(p_file_version_id, p_baseline_id) as w
                where w.quiets and not w.is_waived
            ), null
        where exists (select from quality.gate_condition as c where c.preset = p_preset and c.metric = 'suppressions')
        union all
        select 'coverage', (
            select m.value from quality.latest_scans(p_file_version_id) as s
            inner join quality.metric as m on m.scan_id = s.id
            where
                s.status = 'ok' and m.state = 'known'
                and m.name = case when p_baseline_id is null then 'coverage_percent' else 'new_coverage_percent' end
            limit 1
        ), '%', coalesce(nullif(min(c.reason collate core.c_utf8), ''), 'The coverage of the new lines was not measured. Use tapps_quality_gate with new_code.'), null
        from checked as c
        where c.category = 'test_coverage'
        having count(*) > 0
    )

    select
        c.metric, m.value, c.minimum, c.maximum,
        case
            when m.value >= c.minimum and m.unread is not null then 'unread'
            when m.value >= c.minimum or m.value <= c.maximum then 'pass'
            when w.told is not null then 'waived'
            when m.value is null then c.on_missing
            else 'fail'
        end,
        case
            when m.unread is not null and m.value >= c.minimum then case c.metric
                when 'security' then format('security: not checked. %s Only secrets were looked for.', m.unread)
                else 'overall: unknown, because security was not checked.'
            end
            when m.unread is not null then format('%s: at most %s < %s minimum', c.metric, round(m.value, 1), c.minimum)
            when w.told is not null then format('%s: %s', c.metric, w.told)
            when m.value is null then format(
                '%s: unknown. %s', c.metric, case c.metric
                    when 'coverage' then m.missing
                    when 'suppressions' then 'Nobody has looked for words that tell checkers to be silent. Scan the file again.'
                    else format('Not read by %s.', m.missing)
                end
            )
            when c.metric = 'failed_checkers' then format('failed_checkers: %s failed. Repeat the scan; a checker that fails again needs attention.', m.missing)
            when c.metric = 'broken_decisions' then format('broken_decisions: %s places do not follow %s', m.value, m.missing)
            when c.metric = 'unread_language' then format('unread_language: %s The gate %s asks for it: a person who has read the file can waive this.', m.missing, p_preset)
            when c.metric = 'suppressions' then format('suppressions: checkers are told to be silent (%s). Remove the words, or let a person waive them.', m.missing)
            when c.metric = 'high_findings' then format('high_findings: %s new findings are serious', m.value)
            when c.metric = 'missing_calls' then format('missing_calls: the installed packages do not have what is used in %s. A person can waive this.', m.missing)
            else format('%s: %s%s < %s%s minimum', c.metric, round(m.value, 1), m.unit, c.minimum, m.unit)
        end
    from quality.gate_condition as c
    inner join measured as m on m.metric = c.metric
    inner join quality.file_version as v on v.id = p_file_version_id
    left join lateral (
        select format('waived until %s by %s: %s', x.expires_at::date, projects.principal_name(x.granted_by), x.reason) as told
        from quality.waiver as x
        where
            x.project_id = v.project_id and x.path = v.path and x.what = c.metric and x.expires_at > core.now()
            and c.metric not in ('security', 'failed_checkers')
        limit 1
    ) as w on true
    where c.preset = p_preset and (c.on_new_code is null or c.on_new_code = p_new_code)
    order by c.metric;
end
$function$;
comment on function quality.judge(bigint, text, bigint, boolean) is
'Checks which conditions of a quality gate a version of a file meets. Arguments: p_file_version_id: id of the version; '
'p_preset: name of the gate; p_baseline_id: id of an earlier version to compare with (null: no comparison); p_new_code: '
'true to check only new code. Returns for each condition: the name of the measured value; the value (null: unknown); '
'the smallest and the largest allowed value; the verdict (pass, unread, waived, warn or fail); a sentence for people.';
grant execute on function quality.judge to qm_reader;
