-- knowledge.fit_passages: an expert's confidence (knowledge.judge_passages) says whether some passage answers a
-- question. It hardly says which passage helps with a task, because a task is not a question. Therefore, this function
-- computes a probability for each passage. It is a logistic function of three numbers: the cosine of the passage
-- (similar); the share of the task's words that the passage contains, in which rare words count more (covered); and the
-- score of the passage in its list (score). Without vectors, the function uses a mean value for similar.
-- The weights are in the setting task.note. lab.comparisons.starting learns them from tasks whose passages people have
-- read one by one.
create or replace function knowledge.fit_passages(
    p_goal text, p_passage_ids bigint[], p_similar real[], p_scores real[]
)
returns table (passage_id bigint, parts real[], probability real)
language sql
stable parallel safe security definer
rows 5
set search_path = pg_catalog, pg_temp
as $function$
    with word as materialized (
        select w.* from knowledge.weigh_words(p_goal) as w
    ),

    part as (
        select
            g.id,
            array[
                coalesce(g.near, 0.45),
                coalesce(
                    (
                        select sum(w.weight) filter (
                            where w.lexeme = any(tsvector_to_array(l.document))
                        ) / nullif(sum(w.weight), 0)
                        from word as w
                        inner join search.lexical as l on l.kind = 'passage' and l.ref = g.id
                    ),
                    0
                ),
                g.score
            ]::real[] as parts
        from unnest(p_passage_ids, p_similar, p_scores) as g (id, near, score)
    )

    select
        p.id,
        p.parts,
        (1 / (1 + exp(-(
            (w.weights ->> 'intercept')::real
                + (w.weights ->> 'similar')::real * p.parts[1]
                + (w.weights ->> 'covered')::real * p.parts[2]
            + (w.weights ->> 'score')::real * p.parts[3]
        ))))::real
    from part as p
    cross join (select core.get_setting('task.note') as weights) as w;
$function$;
comment on function knowledge.fit_passages(text, bigint[], real[], real[]) is
'Estimates for each passage the probability that the passage helps with a task. Arguments: p_goal: text of the task; '
'p_passage_ids: ids of the passages; p_similar: cosine similarity of each passage and the task (null: there are no '
'vectors); p_scores: score of each passage in the list of results. Returns for each passage the probability, and the '
'three numbers from which the probability is computed: the cosine, the share of the task''s words in the passage, and '
'the score.';
grant execute on function knowledge.fit_passages to qm_reader;
