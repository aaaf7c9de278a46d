-- search.text_candidates: in a large catalog, the search by meaning misses fewer right cards than the search by words.
-- Therefore, in a large catalog, the search by meaning may return up to twice as many cards as in a small catalog, and
-- the search by words half as many. This takes hardly more time (lab/notes/selection.md#candidates-among-35439-tools).
-- Only search.search may call this function, because callers have no permission to read search.lexical and
-- search.embedding. The function returns only visible cards, because search.bm25, search.near_cards, search.fuzzy and
-- search.match_teachings do.
create or replace function search.text_candidates(p_goal search.goal)
returns setof search.candidate
language plpgsql
volatile parallel unsafe security invoker
rows 50
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_large constant float8 := case -- 0 in a small catalog, 1 in a large one
        when p_goal.vectors is null or p_goal.dense = 0 then 0 -- only words find cards
        else (select search.large_share(k.cards) from search.kind as k where k.name = p_goal.kind)
    end;
    v_lexical constant integer := ceil(p_goal.lexical / (1 + v_large));
    v_dense constant integer := ceil(p_goal.dense * (1 + v_large));
begin
    return query
    with goal as materialized ( -- read in the same snapshot as its postings
        select search.read_terms(p_goal.kind, p_goal.text) as terms
    ),

    found as materialized (
        select f.card_id, array_agg(f.source order by f.source collate core.c_utf8) as sources
        from (
            select l.card_id, 'lexical' as source
            from goal as g
            cross join search.bm25(p_goal.kind, v_lexical, g.terms) as l
            union all
            select d.card_id, 'dense'
            from search.near_cards(p_goal.kind, p_goal.vectors[1], v_dense, v_large, p_goal.ef_search) as d (card_id)
            union all
            select z.card_id, 'fuzzy'
            from search.fuzzy(p_goal.kind, p_goal.text, p_goal.fuzzy) as z
            union all
            select t.card_id::bigint, 'taught'
            from jsonb_array_elements_text(p_goal.scope -> 'taught') as t (card_id)
        ) as f
        group by f.card_id
    )

    select c.card_id, c.label, c.text_hash, c.lexical, c.dense, c.fuzzy, f.sources, c.features
    from goal as g
    cross join search.features(
        p_goal.kind,
        p_goal.text,
        p_goal.vectors[1],
        array(select x.card_id from found as x),
        p_goal.vectors[2:],
        g.terms
    ) as c
    inner join found as f on f.card_id = c.card_id;
end
$function$;
comment on function search.text_candidates(search.goal) is
'Finds cards that may fit a goal (the candidates of the feature set "text") by words, by meaning and by name, and '
'computes the features from which they are scored. Argument p_goal: the goal, whose scope may contain only taught: ids '
'of visible cards that are candidates, too, because somebody taught them. Returns the candidates with their features.';
