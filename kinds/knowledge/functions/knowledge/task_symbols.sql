-- knowledge.task_symbols: the function offers only symbols of packages that the project can import
-- (knowledge.scope_of).
-- Writes: selection.receipt, selection.exposure, selection.pool, through api.search_cards.
create or replace function knowledge.task_symbols(p_task selection.task)
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
        from api.search_cards(
            p_task.goal,
            array['symbol'],
            'fast',
            p_task.cards,
            p_task.vector,
            p_task.session,
            scope => knowledge.scope_of(p_task.project_id)
        ) as s
    );
end
$function$;
comment on function knowledge.task_symbols(selection.task) is
'Returns objects of libraries for the goal of a task. They are the part "symbol" of an answer of api.start_task (see '
'selection.task_part). Argument p_task: the task.';
grant execute on function knowledge.task_symbols to qm_reader;
