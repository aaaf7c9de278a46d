-- Writes: what api.decisions_for writes.
create or replace function decisions.task_decisions(p_task selection.task)
returns jsonb
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    return (
        select jsonb_agg(
            jsonb_build_object(
                'name', 'decision ' || d.decision,
                'text', concat_ws(
                    ' ', d.pattern, 'Instead of: ' || nullif(d.instead, '') || '.', d.rationale, '(' || d.health || ')'
                ),
                'score', d.score,
                'receipt', d.receipt
            ) order by d.score desc
        )
        from (
            select distinct on (x.decision) x.*
            from unnest(case when p_task.paths = '{}' then array[''] else p_task.paths[:5] end) as p (path)
            cross join lateral api.decisions_for(
                p.path, p_task.goal, p_task.project, 4, 800, p_task.vector, p_task.session
            ) as x
            order by x.decision, x.score desc
        ) as d
    );
end
$function$;
comment on function decisions.task_decisions(selection.task) is
'Returns the part "decision" of an answer of api.start_task (see selection.task_part). Argument p_task: the task.';
grant execute on function decisions.task_decisions to qm_reader;
