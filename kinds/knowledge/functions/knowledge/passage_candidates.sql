-- knowledge.passage_candidates: a question seldom uses the words of the passage that answers it. Therefore, the heading
-- of a passage and each question that its author wrote for it have vectors, too. The similarity of a passage is the
-- mean of its own cosine and the cosine of its nearest question. In a long goal, often only one sentence asks.
-- Therefore, each cosine is the mean of two: for the whole goal, and for its best sentence
-- (kinds/knowledge/docs/measured-experts.md).
-- On a new instance, computing all vectors takes some minutes. A passage without a vector would always lose against the
-- others. Therefore, only words count until all candidates have their vectors.
-- The function finds more candidates than the mode says. If the scope names a domain, it drops the candidates of other
-- domains. Names are not compared, because a question is not a name.
-- Only search.search may call this function, because callers have no permission to read search.lexical and
-- search.embedding. search.bm25 and search.dense return only visible passages and questions, and the passage of a
-- visible question is checked, too.
create or replace function knowledge.passage_candidates(p_goal search.goal)
returns setof search.candidate
language plpgsql
volatile parallel unsafe security invoker
rows 200
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_terms constant search.goal_terms := search.read_terms('passage', p_goal.text);
    v_vector constant ext.vector := p_goal.vectors[1];
    v_model constant integer := case when v_vector is not null then (search.goal_model()).id end;
    v_domain constant text := search.scope_member(p_goal.scope, 'domain', 'string') #>> '{}';
    v_visible constant bit varying := policy.visible_classes();
    v_wider constant integer := case when v_domain is null then 2 else 6 end;
begin
    return query
    with met as (
        select l.card_id
        from search.bm25('passage', v_wider * p_goal.lexical, v_terms) as l
        union
        select d.card_id
        from search.dense('passage', v_vector, v_wider * p_goal.dense, p_goal.ef_search) as d
        union
        select p.id
        from search.dense('question', v_vector, v_wider * p_goal.dense, p_goal.ef_search) as d
        inner join search.card as c on c.id = d.card_id
        inner join knowledge.question as q on q.id = c.ref
        inner join search.card as p on p.kind = 'passage' and p.ref = q.passage_id
        where policy.is_visible(p.rights_class, v_visible)
    ),

    scored as materialized (
        select
            c.id,
            c.label,
            c.text_hash,
            coalesce((-(l.weights operator(ext.<#>) v_terms.query))::real, 0) as words,
            (
                select (
                    max(1 - (e.vector operator(ext.<=>) g.vector)) filter (where g.place = 1)
                        + max(1 - (e.vector operator(ext.<=>) g.vector))
                ) / 2
                from unnest(p_goal.vectors) with ordinality as g (vector, place)
            )::real as near,
            (
                select (
                    max(1 - (x.vector operator(ext.<=>) g.vector)) filter (where g.place = 1)
                        + max(1 - (x.vector operator(ext.<=>) g.vector))
                ) / 2
                from knowledge.question as q
                inner join search.card as k on k.kind = 'question' and k.ref = q.id
                inner join search.embedding as x
                    on x.model_id = v_model and x.text_hash = k.text_hash and x.kind = 'question'
                cross join unnest(p_goal.vectors) with ordinality as g (vector, place)
                where q.passage_id = c.ref
            )::real as asked
        from met as m
        inner join search.card as c on c.id = m.card_id
        inner join search.lexical as l on l.card_id = c.id
        left join search.embedding as e on e.model_id = v_model and e.text_hash = c.text_hash and e.kind = 'passage'
        where v_domain is null or c.origin = v_domain
    )

    select
        s.id,
        s.label,
        s.text_hash,
        s.words,
        case when s.is_complete then greatest((s.near + s.asked) / 2, 0) else 0 end::real,
        0::real,
        array_remove(array[case when s.is_complete then 'dense' end, case when s.words > 0 then 'lexical' end], null),
        array[
            s.words, case when s.is_complete then s.near else 0 end, case when s.is_complete then s.asked else 0 end
        ]::real[]
    from (
        select c.*, bool_and(c.near is not null and c.asked is not null) over () as is_complete from scored as c
    ) as s;
end
$function$;
comment on function knowledge.passage_candidates(search.goal) is
'Finds passages of notes that may fit a goal (the candidates of the feature set "passages"), and computes the features '
'from which they are scored. Argument p_goal: the goal. The scope of the goal is a JSON object, in which the member '
'"domain" limits the search to passages of one domain. Returns the candidates with their features. Raises QM422 '
'argument_invalid.';
