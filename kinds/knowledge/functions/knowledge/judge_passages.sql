-- knowledge.judge_passages: the probability is a logistic function of these numbers
-- (kinds/knowledge/docs/measured-experts.md):
-- similar: the best cosine of a passage;
-- covered: the share of the question's words that the passages contain, in which rare words count more;
-- unknown: the share of the question's words that no passage at all contains;
-- dated: 1 if the question asks what happened or will happen on some date, otherwise 0;
-- ahead: the score of the first passage minus the score of the fourth, because many passages that fit equally well fit
-- by chance;
-- particular: 1 if the words of the question ask for a fact about the asker's own things or people, otherwise 0;
-- factual: how much the vector of the question asks for a fact (knowledge.asks_fact).
-- Only a project's own notes can know such facts. If one of the passages comes from a project, particular and factual
-- do not count against it.
-- The setting knowledge.confidence contains two sets of weights: for questions with a vector, where covered and dated
-- add nothing, and for questions without. As long as some candidates have no vectors (knowledge.passage_candidates),
-- the second set is used, and a mean replaces similar. Without a fourth score, a mean replaces ahead.
create or replace function knowledge.judge_passages(
    p_question text, p_passage_ids bigint[], p_similar real, p_scores real[], p_vector ext.vector default null
)
returns jsonb
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    with word as materialized (
        select w.* from knowledge.weigh_words(p_question) as w
    ),

    local as (
        select exists (
            select from knowledge.passage as p
            inner join knowledge.note as n on n.id = p.note_id
            where p.id = any(p_passage_ids) and n.project_id is not null
        ) as is_local,
        knowledge.asks_fact(p_vector) as fact
    ),

    part as (
        select
            coalesce(p_similar, 0.45) as similar,
            coalesce(sum(w.weight) filter (
                where exists (
                    select from search.lexical as l
                    where l.kind = 'passage'
                        and l.ref = any(p_passage_ids)
                        and w.lexeme = any(tsvector_to_array(l.document))
                )
            ) / nullif(sum(w.weight), 0), 0) as covered,
            coalesce(avg(w.is_unknown::integer), 1) as unknown,
            (p_question ~* (core.get_setting('knowledge.dated') #>> '{}') collate core.c_utf8)::integer as dated,
            coalesce(p_scores[1] - p_scores[4], 0.23) as ahead,
            (
                p_question ~* (core.get_setting('knowledge.particular') #>> '{}') collate core.c_utf8
                and not bool_or(l.is_local)
            )::integer as particular,
            case when bool_or(l.is_local) and max(l.fact) > 0 then 0 else max(l.fact) end as factual
        from local as l
        left join word as w on true
    )

    select jsonb_build_object(
        'confidence', round((1 / (1 + exp(-(w.weights ->> 'intercept')::real - t.total)))::numeric, 4),
        'similar', round(p.similar::numeric, 4),
        'covered', round(p.covered::numeric, 4),
        'unknown', round(p.unknown::numeric, 4),
        'dated', p.dated = 1,
        'ahead', round(p.ahead::numeric, 4),
        'particular', p.particular = 1,
        'factual', round(coalesce(p.factual, 0)::numeric, 4)
    )
    from part as p
    cross join lateral (
        select core.get_setting('knowledge.confidence') -> case
            when p_similar is null or p.factual is null then 'words'
            else 'vector'
        end as weights
    ) as w
    cross join lateral (
        select coalesce(sum((w.weights ->> v.name)::real * v.value), 0) as total
        from (
            values
                ('similar', p.similar),
                ('covered', p.covered),
                ('unknown', p.unknown),
                ('dated', p.dated),
                ('ahead', p.ahead),
                ('particular', p.particular), ('factual', p.factual)
        ) as v (name, value)
    ) as t;
$function$;
comment on function knowledge.judge_passages(text, bigint[], real, real[], ext.vector) is
'Estimates the probability that one of the given passages answers a question. Arguments: p_question: the question; '
'p_passage_ids: ids of the passages; p_similar: highest cosine of a passage with the question (null: there are no '
'vectors); p_scores: scores of all passages that the search found, best first (null: unknown); p_vector: vector of the '
'question (null: no vector). Returns a JSON object: confidence is the probability (0 to 1), and the other members are '
'the values from which the probability is computed.';
grant execute on function knowledge.judge_passages to qm_reader;
