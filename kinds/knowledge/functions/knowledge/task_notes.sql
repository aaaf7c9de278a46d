-- knowledge.task_notes: knowledge.helpful_notes decides which of the found passages help, and how much. The notes may
-- belong to any domain.
-- Writes: selection.receipt, selection.exposure, selection.pool, through api.search_cards.
create or replace function knowledge.task_notes(p_task selection.task)
returns jsonb
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_in_context constant boolean := p_task.context_share > 0;
    v_notes constant integer := p_task.cards / 4 + 1;
    v_lead constant real := (core.get_setting('knowledge.lead'))::real;
begin
    return (
        select jsonb_agg(
            jsonb_build_object(
                'name', h.note, 'text', h.told, 'score', h.probability, 'receipt', f.receipt, 'note_of', h.project
            ) order by h.place
        )
        from (
            select
                array_agg(r.ref order by r.place) as ids,
                array_agg(r.score order by r.place) as scores,
                array_agg(r.dense order by r.place) as similar,
                min(r.receipt) as receipt
            from (
                select
                    s.ref, s.score, (s.scores ->> 'dense')::real as dense, s.receipt,
                    -- At equal strength, the experts' own notes come first, as in api.ask_expert.
                    row_number() over (
                        order by s.score - case when n.project_id is null then 0 else v_lead end desc, s.rank
                    ) as place
                from api.search_cards(
                    p_task.goal,
                    array['passage'],
                    'fast',
                    case when v_in_context then 40 else 12 end,
                    p_task.vector,
                    p_task.session
                ) as s
                inner join knowledge.passage as p on p.id = s.ref
                inner join knowledge.note as n on n.id = p.note_id
            ) as r
            where v_in_context or r.place <= greatest(v_notes, 4) -- the experts compare the first with the fourth
        ) as f
        cross join lateral knowledge.helpful_notes(
            p_task.meant, f.ids, f.scores, f.similar, p_task.vector, v_in_context, v_notes
        ) as h
    );
end
$function$;
comment on function knowledge.task_notes(selection.task) is
'Returns passages of notes for the goal of a task. They are the part "note" of an answer of api.start_task (see '
'selection.task_part). Argument p_task: the task.';
grant execute on function knowledge.task_notes to qm_reader;
