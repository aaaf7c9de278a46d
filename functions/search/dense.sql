-- Definer: callers have no permission to read search.embedding. They still get only cards that they may see, because
-- search.nearest checks policy.is_visible.
create or replace function search.dense(p_kind text, p_vector ext.vector, p_limit integer, p_ef_search integer)
returns table (card_id bigint, similarity real)
language plpgsql
volatile parallel unsafe security definer
rows 50
set search_path = pg_catalog, pg_temp
as $function$
begin
    return query
    select n.card_id, n.similarity from search.nearest(p_kind, p_vector, p_limit, p_limit, p_ef_search) as n;
end
$function$;
comment on function search.dense(text, ext.vector, integer, integer) is
'Finds cards whose vectors are similar to the vector of a goal (cosine), in the model of the goal. Arguments: p_kind: '
'kind of card; p_vector: unit vector of the goal; p_limit: maximum number of cards; p_ef_search: value for pgvector''s '
'setting hnsw.ef_search. Returns the cards, nearest first. The search is approximate and may miss near cards. With a '
'larger p_ef_search, it misses fewer cards, but takes longer. Raises QM422 dimension_mismatch.';
grant execute on function search.dense to qm_reader;
