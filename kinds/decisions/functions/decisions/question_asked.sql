-- decisions.question_asked: only decisions with a vector near enough are told: a decision that misses the question
-- misleads.
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
'Finds decisions that fit a question (hook point question_asked). Arguments: p_question: the question; p_vector: its '
'unit vector, or null; p_floor: lowest cosine of a decision. Returns a JSON array of {kind, ref, told}, best first, '
'with told = {name, text, probability, project, owner}.';
grant execute on function decisions.question_asked to qm_reader;
