-- search.text_candidates: candidates of the feature set text: those of the three channels, united and looked at.
-- Only search.search calls it: documents and vectors are read here; the channels return visible cards only.
create or replace function search.text_candidates(
    p_kind text, p_query text, p_goal ext.vector[], p_lexical integer, p_dense integer, p_fuzzy integer, p_ef_search integer, p_scope jsonb
)
returns setof search.candidate
language plpgsql
volatile parallel unsafe security invoker
rows 50
set search_path = pg_catalog, pg_temp
as $function$
begin
    return query
    with goal as materialized ( -- read in the snapshot in which its postings are
        select search.read_terms(p_kind, p_query) as terms
    ),

    found as materialized (
        select f.card_id, array_agg(f.source order by f.source) as sources
        from (
            select l.card_id, 'lexical' as source from goal as g cross join search.bm25(p_kind, p_query, p_lexical, g.terms) as l
            union all
            select d.card_id, 'dense' from search.dense(p_kind, p_goal[1], p_dense, p_ef_search) as d
            union all
            select z.card_id, 'fuzzy' from search.fuzzy(p_kind, p_query, p_fuzzy) as z
        ) as f
        group by f.card_id
    )

    select c.card_id, c.label, c.text_hash, c.lexical, c.dense, c.fuzzy, f.sources, c.features
    from goal as g
    cross join search.features(p_kind, p_query, p_goal[1], array(select x.card_id from found as x), p_goal[2:], g.terms) as c
    inner join found as f on f.card_id = c.card_id;
end
$function$;
comment on function search.text_candidates(text, text, ext.vector[], integer, integer, integer, integer, jsonb) is
'See search.feature_set. Scope has no members.';
