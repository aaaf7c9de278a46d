-- search.bm25_pg_search: pg_search only chooses the candidates, by its own scores. The returned scores are computed as
-- in search.bm25. Rights are applied afterwards: the function requests three times as many cards as needed, and doubles
-- this number as long as too few of the cards are visible. Only search.bm25 may call this function. Its tests run only
-- where pg_search is installed, because no package index that the tests use contains pg_search.
create or replace function search.bm25_pg_search(p_kind text, p_limit integer, p_terms search.goal_terms)
returns table (card_id bigint, score real)
language plpgsql
stable parallel unsafe security invoker
rows 50
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_visible constant bit varying := policy.visible_classes();
    v_words constant text := array_to_string(p_terms.lexemes, ' ');
    v_asked integer := 3 * p_limit;
    v_found bigint[];
    v_best bigint[];
begin
    loop
        v_found := search.match_words(p_kind, v_words, v_asked);
        v_best := array(
            select f.id
            from unnest(v_found) with ordinality as f (id, position)
            inner join search.card as c on c.id = f.id
            where policy.is_visible(c.rights_class, v_visible)
            order by f.position
            limit p_limit
        );
        exit when cardinality(v_best) = p_limit or cardinality(v_found) < v_asked;
        v_asked := 2 * v_asked;
    end loop;
    return query
    select l.card_id, (-(l.weights operator(ext.<#>) p_terms.query))::real
    from search.lexical as l
    where l.card_id = any(v_best)
    order by 2 desc, 1;
end
$function$;
comment on function search.bm25_pg_search(text, integer, search.goal_terms) is
'Finds cards that contain words of a goal, with the extension pg_search. Arguments: p_kind: kind of card; p_limit: '
'maximum number of cards; p_terms: terms of the goal, as read by search.read_terms. Returns cards that the caller may '
'see, with the BM25 scores that search.bm25 computes. The order is the order of pg_search''s own scores, best first. '
'Cards with equal scores are ordered by id.';
