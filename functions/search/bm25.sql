-- search.bm25: the speed hardly depends on how common the words of the goal are. Cards are divided into blocks of 2048.
-- A posting contains the weights of one token in the cards of one block. The function adds up the postings of the
-- goal's tokens, which gives a sum for each card. A sum is only close to the BM25 score, because the weight of a token
-- may have changed since its postings were written. Postings that differ too much, or whose token is repeated in the
-- goal, are corrected. At the end, the function computes the exact score of every card that could be among the best k.
-- It allows for the largest possible error of a sum.
-- The function looks at few sums. The sums of a block are divided into pieces of 128 cards. The pieces with the largest
-- norm are read first. They give a threshold: the k-th best sum of a visible card. Then only pieces that contain a sum
-- above this threshold are read.
-- Two alternatives cost about twice as much on 35,000 tools: posting arrays with hash aggregation, and a covering
-- B-tree.
-- If the server has pg_search and the kind has more cards than the setting pg_search.from_cards, that extension finds
-- the cards instead. The extension may find other cards, but the scores are computed in the same way.
-- The variant with the argument p_terms is for security definer functions that have already read the terms of the goal.
-- Definer: callers have no permission to read search.lexical and search.posting. They still get only cards that they
-- may see, because the function checks policy.is_visible.
create or replace function search.bm25(p_kind text, p_limit integer, p_terms search.goal_terms)
returns table (card_id bigint, score real)
language plpgsql
stable parallel unsafe security invoker
rows 50
set search_path = pg_catalog, pg_temp
set enable_hashjoin = off -- the best cards are looked up one by one, until there are enough of them
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan -- the plan is the same for every goal, and planning has a cost
as $function$
declare
    -- The visible rights classes and the cards are read from the same database snapshot, because all queries of a
    -- stable function use one snapshot.
    v_visible constant bit varying := policy.visible_classes();
    v_query constant ext.sparsevec := p_terms.query;
    v_terms constant integer[] := p_terms.term_ids;
    v_corrections real[]; -- null if the posting is accurate to a tenth
    v_share real; -- a card whose exact score is among the best has at least this share of the k-th sum
begin
    if v_terms is null or p_limit < 1 then
        return;
    end if;
    if core.has_capability('pg_search')
        and (
            select k.cards > (core.get_setting('pg_search.from_cards'))::bigint
            from search.kind as k
            where k.name = p_kind
        )
    then
        return query select b.card_id, b.score from search.bm25_pg_search(p_kind, p_limit, p_terms) as b;
        return;
    end if;
    select
        array_agg(case when r.is_near then null else r.ratio end order by r.position),
        -- The limit is set a little lower than its exact value, because sums and inner products are rounded
        -- differently.
        0.9999 * min(case when r.is_near then r.ratio else 1 end) / max(case when r.is_near then r.ratio else 1 end)
    into v_corrections, v_share
    from (
        select g.position, g.weight / g.factor as ratio, g.weight / g.factor between 0.9 and 1.1 as is_near
        from unnest(p_terms.weights, p_terms.factors) with ordinality as g (weight, factor, position)
    ) as r;

    return query
    with block as materialized (
        select
            p.block * 2048 as first_id,
            search.add_vectors(
                case
                    when q.correction is null then p.weights::ext.vector
                    else p.weights::ext.vector operator(ext.*) q.correction
                end
            ) as sums
        from (
            select
                g.term_id,
                case when g.correction is not null then array_fill(g.correction, '{2048}')::ext.vector end as correction
            from unnest(v_terms, v_corrections) as g (term_id, correction)
            offset 0 -- once for each token, not once for each block
        ) as q
        inner join search.posting as p on p.term_id = q.term_id
        group by p.block
    ),

    piece as materialized (
        select b.first_id + i as first_id, ext.subvector(b.sums, i + 1, 128) as sums
        from block as b
        cross join generate_series(0, 2047, 128) as i
    ),

    threshold as materialized (
        select b.sum, array_fill(b.sum, '{128}')::ext.vector as everywhere
        from (
            select case when count(*) = p_limit then min(k.sum) * v_share else 0 end::real as sum
            from (
                select c.sum
                from (
                    select s.card_id, s.sum
                    from (
                        select p.first_id + generate_series(0, 127) as card_id, unnest(p.sums::real[]) as sum
                        from (select x.* from piece as x order by ext.vector_norm(x.sums) desc limit p_limit) as p
                    ) as s
                    where s.sum > 0
                    order by 2 desc
                ) as c
                inner join search.card as v on v.id = c.card_id
                where policy.is_visible(v.rights_class, v_visible)
                order by c.sum desc
                limit p_limit
            ) as k
        ) as b
    ),

    near as materialized (
        select s.card_id, s.sum
        from (
            select t.sum as least, p.first_id + generate_series(0, 127) as card_id, unnest(p.sums::real[]) as sum
            from threshold as t
            inner join piece as p
                on bit_count(ext.binary_quantize(p.sums operator(ext.-) t.everywhere)) > 0
        ) as s
        where s.sum > s.least
        order by 2 desc
    ),

    -- The sums of the other pieces are computed, too, because the pieces with the largest norm might not contain the k
    -- best cards.
    least as materialized (
        select case when count(*) = p_limit then min(k.sum) * v_share else 0 end::real as sum
        from (
            select n.sum
            from near as n
            inner join search.card as v on v.id = n.card_id
            where policy.is_visible(v.rights_class, v_visible)
            order by n.sum desc
            limit p_limit
        ) as k
    )

    select n.card_id, (-(l.weights operator(ext.<#>) v_query))::real
    from least as t
    inner join near as n on n.sum >= t.sum
    inner join search.card as v on v.id = n.card_id
    inner join search.lexical as l on l.card_id = n.card_id
    where policy.is_visible(v.rights_class, v_visible)
    order by 2 desc, 1
    limit p_limit;
end
$function$;
comment on function search.bm25(text, integer, search.goal_terms) is
'Finds cards that contain words of a goal. Arguments: p_kind: kind of card; p_limit: maximum number of cards; p_terms: '
'terms of the goal, as read by search.read_terms. Returns cards with their BM25 scores, best first. Cards with equal '
'scores are ordered by id. The scores are exact for the stored weights (see search.weigh). A card that contains no '
'token of the goal is not returned.';

create or replace function search.bm25(p_kind text, p_query text, p_limit integer)
returns table (card_id bigint, score real)
language plpgsql
stable parallel unsafe security definer
rows 50
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    return query select b.card_id, b.score from search.bm25(p_kind, p_limit, search.read_terms(p_kind, p_query)) as b;
end
$function$;
comment on function search.bm25(text, text, integer) is
'Reads the terms of a goal, and finds cards that contain these terms, as search.bm25(text, integer, search.goal_terms) '
'does. Arguments: p_kind: kind of card; p_query: the goal; p_limit: maximum number of cards. Returns cards with their '
'BM25 scores, best first.';
grant execute on function search.bm25(text, text, integer) to qm_reader;
