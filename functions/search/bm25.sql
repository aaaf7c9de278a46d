-- search.bm25: the cards with the highest BM25 scores, exactly, at a cost that hardly depends on how common the words are.
-- The scores of 2048 cards at a time are one sum: the posting vector of each token times its weight. Only short pieces of it are looked into:
-- those with the largest norm give a threshold, the score of the k-th card that may be seen, and then those that hold any score above it.
-- Tried against it on 35,000 tools: posting arrays with hash aggregation, and a covering B-tree, cost about twice as much.
-- Where the server has pg_search, that answers.
-- Definer because postings are under a policy of their own; visibility is the same predicate, stated here.
create or replace function search.bm25(p_kind text, p_query text, p_limit integer)
returns table (card_id bigint, score real)
language plpgsql
stable parallel unsafe security definer
rows 50
set search_path = pg_catalog, pg_temp
set enable_hashjoin = off -- the best cards are looked up one by one, until there are enough
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan -- the plan is the same for every goal, and planning it is not free
as $function$
declare
    -- Of the same snapshot as the cards: a stable function sees one.
    v_visible constant bit varying := policy.visible_classes();
    v_query ext.sparsevec;
    v_terms integer[];
    v_weights real[];
begin
    perform policy.require_principal();
    if core.has_capability('pg_search') then
        return query select b.card_id, b.score from search.bm25_pg_search(p_kind, p_query, p_limit) as b;
        return;
    end if;
    select
        ('{' || string_agg(q.term_id || ':' || q.weight, ',' order by q.term_id) || '}/1000000000')::ext.sparsevec,
        array_agg(q.term_id),
        array_agg(q.weight)
    into v_query, v_terms, v_weights
    from search.query_terms(p_kind, p_query) as q;
    if v_terms is null or p_limit < 1 then
        return;
    end if;

    return query
    with block as materialized (
        select p.block * 2048 as first_id, search.add_vectors(p.weights::ext.vector operator(ext.*) q.factor) as scores
        from (
            select g.term_id, array_fill(g.weight, '{2048}')::ext.vector as factor
            from unnest(v_terms, v_weights) as g (term_id, weight)
            offset 0 -- once a token, not once a block
        ) as q
        inner join search.posting as p on p.term_id = q.term_id
        group by p.block
    ),

    piece as materialized (
        select b.first_id + i as first_id, ext.subvector(b.scores, i + 1, 64) as scores
        from block as b
        cross join generate_series(0, 2047, 64) as i
    ),

    -- A little below the k-th score: sums and inner products round differently.
    threshold as materialized (
        select b.score, array_fill(b.score, '{64}')::ext.vector as everywhere
        from (
            select case when count(*) = p_limit then min(k.score) * 0.9999 else 0 end::real as score
            from (
                select c.score
                from (
                    select p.first_id + s.position - 1 as card_id, s.score
                    from (select x.* from piece as x order by ext.vector_norm(x.scores) desc limit p_limit) as p
                    cross join unnest(p.scores::real[]) with ordinality as s (score, position)
                    where s.score > 0
                    order by 2 desc
                ) as c
                inner join search.card as v on v.id = c.card_id
                where policy.is_visible(v.rights_class, v_visible)
                order by c.score desc
                limit p_limit
            ) as k
        ) as b
    )

    select f.card_id, f.score
    from (
        select c.card_id, (-(l.weights operator(ext.<#>) v_query))::real as score
        from (
            select p.first_id + s.position - 1 as card_id, s.score
            from threshold as t
            inner join piece as p
                on bit_count(ext.binary_quantize(p.scores operator(ext.-) t.everywhere)) > 0
            cross join unnest(p.scores::real[]) with ordinality as s (score, position)
            where s.score > t.score
            order by 2 desc, 1
        ) as c
        inner join search.card as v on v.id = c.card_id
        inner join search.lexical as l on l.card_id = c.card_id
        where policy.is_visible(v.rights_class, v_visible)
        order by c.score desc, c.card_id
        limit p_limit + 16
    ) as f
    order by 2 desc, 1
    limit p_limit;
end
$function$;
comment on function search.bm25(text, text, integer) is
'Cards by BM25, best first, ties by id. Arguments: kind, goal, how many. Exact for the kept weights (see search.weigh); cards without any token of the goal are not returned.';
