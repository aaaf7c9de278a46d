-- decisions.question_asked: only decisions whose vectors are near enough are returned, because a decision that does not
-- answer the question would mislead the caller.
-- Writes: what api.search_cards writes.
create or replace function decisions.question_asked(p_question text, p_vector ext.vector, p_floor real)
returns jsonb
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    return (
        select jsonb_agg(
            jsonb_build_object(
                'kind', c.kind, 'ref', d.ref, 'told', jsonb_build_object(
                    'name', d.name,
                    'text', d.brief,
                    'probability', round(d.score::numeric, 4),
                    'project', p.name,
                    'owner', projects.principal_name(p.owner_id)
                )
            ) order by d.rank
        )
        from api.search_cards(p_question, array['decision'], 'fast', 10, p_vector) as d
        inner join search.card as c on c.kind = 'decision' and c.ref = d.ref
        inner join projects.project as p on p.audience_id = c.audience_id
        where not d.weak and (d.scores ->> 'dense')::real >= p_floor
    );
end
$function$;
comment on function decisions.question_asked(text, ext.vector, real) is
'Finds decisions that fit a question (hook point question_asked). Arguments: p_question: the question; p_vector: unit '
'vector of the question (null: no vector); p_floor: minimum cosine between the question and a decision. Returns a JSON '
'array of {kind, ref, told}, best first. told is the answer''s text about the decision: {name, text, probability, '
'project, owner}.';
grant execute on function decisions.question_asked to qm_reader;
