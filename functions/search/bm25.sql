-- search.bm25: the cards with the highest BM25 scores, exactly, without scoring every card that shares a common word.
-- MaxScore: cards with one of the rarest tokens are scored first; the k-th score is a threshold, and tokens whose bounds together stay below
-- it cannot lift any other card into the result. A second pass adds just the tokens that could. Source: Turtle and Flood,
-- Query evaluation: strategies and optimizations (1995).
-- A long goal shares a common word with most cards: then reading the weights of all is quicker than uniting so many postings.
-- Definer because under row-level security PostgreSQL uses no index for @@ (not leakproof); visibility is the same predicate, stated here.
create or replace function search.bm25(p_kind text, p_query text, p_limit integer)
returns table (card_id bigint, score real)
language plpgsql
stable parallel unsafe security definer
rows 50
set search_path = pg_catalog, pg_temp
set random_page_cost = 1.1 -- at a disk's 4 the planner reads every document rather than the index (several times as slow)
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
    v_query constant ext.sparsevec := search.query_vector(p_kind, p_query);
    v_lexemes text[];
    v_cards integer[];
    v_rest real[]; -- v_rest[i]: sum of the bounds of the tokens after the i-th
    v_used integer := 1;
    v_most constant bigint := (select greatest(k.cards * 0.6, 1000) from search.kind as k where k.name = p_kind);
    v_all boolean;
    v_card_ids bigint[];
    v_scores real[];
begin
    select array_agg(q.lexeme order by q.bound desc, q.term_id),
        array_agg(q.cards order by q.bound desc, q.term_id),
        array_agg(q.total - q.running order by q.bound desc, q.term_id)
    into v_lexemes, v_cards, v_rest
    from (
        select
            t.*,
            sum(t.bound) over () as total,
            sum(t.bound) over (order by t.bound desc, t.term_id rows unbounded preceding) as running
        from search.query_terms(p_kind, p_query) as t
    ) as q;
    if v_lexemes is null or p_limit < 1 then
        return;
    end if;

    -- Enough of the rarest tokens for a first threshold.
    while v_used < cardinality(v_lexemes)
        and (select sum(c.cards) from unnest(v_cards[:v_used]) as c (cards)) < 4 * p_limit
    loop
        v_used := v_used + 1;
    end loop;

    loop
        v_all := (select sum(c.cards) from unnest(v_cards[:v_used]) as c (cards)) > v_most;
        execute format(
            'select array_agg(s.card_id), array_agg(s.score) from ('
            '    select l.card_id, (-(l.weights operator(ext.<#>) $1))::real as score'
            '    from search.lexical as l'
            '    where l.kind = %L %s and policy.is_visible(l.kind, l.ref, $3)'
            '    order by 2 desc, 1 limit $4'
            ') as s where s.score > 0', p_kind, case when not v_all then 'and l.document @@ $2' end
        )
        into v_card_ids, v_scores
        using v_query, (select string_agg(quote_literal(x.lexeme), ' | ')::tsquery from unnest(v_lexemes[:v_used]) as x (lexeme)),
            v_principal_id, p_limit;

        exit when v_all or v_used = cardinality(v_lexemes)
            or (cardinality(v_card_ids) = p_limit and v_rest[v_used] * 1.0001 < v_scores[p_limit]);

        -- The fewest tokens whose rest stays below the threshold; all of them while there is none.
        v_used := coalesce(
            (
                select min(i) from generate_subscripts(v_rest, 1) as i
                where cardinality(v_card_ids) = p_limit and i > v_used and v_rest[i] * 1.0001 < v_scores[p_limit]
            ), cardinality(v_lexemes)
        );
    end loop;

    return query select f.card_id, f.score from unnest(v_card_ids, v_scores) as f (card_id, score);
end
$function$;
comment on function search.bm25(text, text, integer) is
'Cards by BM25, best first, ties by id. Arguments: kind, goal, how many. Exact for the kept weights (see search.weigh); cards without any token of the goal are not returned.';
