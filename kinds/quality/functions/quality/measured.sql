-- quality.measured: if a value is unknown, the function says which checkers are missing. If no checker can read the
-- language of the file, security and the overall score are unknown; the function returns the best values that they can
-- have, and the reason. Suppressions are looked up only if the gate has a condition about them.
create or replace function quality.measured(p_file_version_id bigint, p_preset text, p_baseline_id bigint)
returns table (metric text, value numeric, unit text, missing text, unread text)
language plpgsql
stable parallel safe security invoker
rows 12
set search_path = pg_catalog, pg_temp
as $function$
begin
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
    )

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
    select 'unread_language', 1, '', u.reason, null
    from unread as u
    union all
    select 'failed_checkers', count(distinct c.tool), '', string_agg(distinct c.tool collate core.c_utf8, ', '), null
    from (
        select k.tool, k.status
        from checked as k
        union all
        (
            select s.tool, s.status
            from quality.scan as s
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
        case
            when bool_and(c.status = 'ok') then (
                select string_agg(distinct f.rule collate core.c_utf8, ', ')
                from counted as f
                where f.tool = 'decisions'
            )
            else min(c.tool collate core.c_utf8)
        end,
        null
    from checked as c
    where c.tool = 'decisions'
    having count(*) > 0
    union all
    -- Null if nobody has looked for them.
    select
        'suppressions', (
            select count(*) filter (where w.quiets and not w.is_waived)
            from quality.suppressions(p_file_version_id, p_baseline_id) as w
            having exists (
                select from quality.latest_scans(p_file_version_id) as s
                where s.tool = 'suppressions' and s.status = 'ok'
            )
        ), '', (
            select string_agg(w.message, '; ' order by w.line, w.word collate core.c_utf8)
            from quality.suppressions(p_file_version_id, p_baseline_id) as w
            where w.quiets and not w.is_waived
        ), null
    where exists (select from quality.gate_condition as c where c.preset = p_preset and c.metric = 'suppressions')
    union all
    select 'coverage', (
        select m.value
        from quality.latest_scans(p_file_version_id) as s
        inner join quality.metric as m on m.scan_id = s.id
        where
            s.status = 'ok'
            and m.state = 'known'
            and m.name = case when p_baseline_id is null then 'coverage_percent' else 'new_coverage_percent' end
        limit 1
    ), '%', nullif(min(c.reason collate core.c_utf8), ''), null
    from checked as c
    where c.category = 'test_coverage'
    having count(*) > 0;
end
$function$;
comment on function quality.measured(bigint, text, bigint) is
'Measures a version of a file for a quality gate. Arguments: p_file_version_id: id of the version; p_preset: name of '
'the gate; p_baseline_id: id of an earlier version to compare with (null: no comparison). Returns: the name of the '
'measured value; the value (null: unknown); its unit; a text with the missing checkers or with details of the '
'findings; and the reason why no checker could read the language (null: a checker reads it, or the value does not '
'depend on the language).';
grant execute on function quality.measured to qm_reader;
