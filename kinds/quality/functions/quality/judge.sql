-- quality.judge: if a value is unknown, the condition fails, or warns if its row in the gate says so. If no checker can
-- read the language of the file, the conditions for security and the overall score get the verdict "unread". They fail
-- if even the best possible value is too low. Each condition has a sentence for each situation
-- (quality.condition_text).
create or replace function quality.judge(
    p_file_version_id bigint, p_preset text, p_baseline_id bigint, p_new_code boolean
)
returns table (
    metric text, value numeric, minimum numeric, maximum numeric, verdict text, situation text, facts jsonb
)
language plpgsql
stable parallel safe security invoker
rows 6
set search_path = pg_catalog, pg_temp
as $function$
begin
    if not exists (select from quality.gate_preset as p where p.name = p_preset) then
        perform core.fail(
            'preset_not_found',
            format('there is no gate called %L', left(p_preset, 100)),
            null,
            format('Use one of: %s.', (select string_agg(p.name, ', ' order by p.name) from quality.gate_preset as p))
        );
    end if;
    return query
    select
        c.metric,
        m.value,
        c.minimum,
        c.maximum,
        case
            when m.value >= c.minimum and m.unread is not null then 'unread'
            when m.value >= c.minimum or m.value <= c.maximum then 'pass'
            when w.reason is not null then 'waived'
            when m.value is null then c.on_missing
            else 'fail'
        end,
        case
            when m.unread is not null and m.value >= c.minimum then 'unread'
            when m.unread is not null then 'at_most'
            when w.reason is not null then 'waived'
            when m.value is null and c.metric = 'coverage' and m.missing is null then 'unmeasured'
            when m.value is null then 'unknown'
            else 'measured'
        end,
        jsonb_build_object(
            'metric', c.metric,
            'value', m.value,
            'rounded', round(m.value, 1),
            'unit', m.unit,
            'minimum', c.minimum,
            'missing', m.missing,
            'unread', m.unread,
            'preset', p_preset,
            'until', w.until,
            'by', w.by,
            'reason', w.reason
        )
    from quality.gate_condition as c
    inner join quality.measured(p_file_version_id, p_preset, p_baseline_id) as m on m.metric = c.metric
    inner join quality.file_version as v on v.id = p_file_version_id
    left join lateral (
        select x.expires_at::date as until, projects.principal_name(x.granted_by) as by, x.reason
        from quality.waiver as x
        where
            x.project_id = v.project_id
            and x.path = v.path
            and x.what = c.metric
            and x.expires_at > core.now()
            and c.metric not in ('security', 'failed_checkers')
        limit 1
    ) as w on true
    where c.preset = p_preset and (c.on_new_code is null or c.on_new_code = p_new_code)
    order by c.metric;
end
$function$;
comment on function quality.judge(bigint, text, bigint, boolean) is
'Checks which conditions of a quality gate a version of a file meets. Arguments: p_file_version_id: id of the version; '
'p_preset: name of the gate; p_baseline_id: id of an earlier version to compare with (null: no comparison); '
'p_new_code: true to check only new code. Returns for each condition: the name of the measured value; the value (null: '
'unknown); the smallest and the largest allowed value; the verdict (pass, unread, waived, warn or fail); the situation '
'and the facts, of which quality.condition_sentence makes a sentence for people. Raises QM404 preset_not_found.';
grant execute on function quality.judge to qm_reader;
