-- catalog.task_tools: tools that match the goal only weakly are left out.
-- Writes: selection.receipt, selection.exposure, selection.pool, through api.search_cards.
create or replace function catalog.task_tools(p_task selection.task)
returns jsonb
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    return (
        select jsonb_agg(
            jsonb_build_object('name', s.name, 'text', s.brief, 'score', s.score, 'receipt', s.receipt) order by s.rank
        )
        from api.search_cards(p_task.goal, array['tool'], 'fast', p_task.cards, p_task.vector, p_task.session) as s
        where not s.weak
    );
end
$function$;
comment on function catalog.task_tools(selection.task) is
'Returns tools for the goal of a task. They are the part "tool" of an answer of api.start_task (see '
'selection.task_part). Argument p_task: the task.';
grant execute on function catalog.task_tools to qm_reader;
