-- search.query_vector: a goal as a sparse vector; its inner product with search.lexical.weights is the BM25 score.
create or replace function search.query_vector(p_kind text, p_query text)
returns ext.sparsevec
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select ('{' || coalesce(string_agg(q.term_id || ':' || q.weight, ',' order by q.term_id), '') || '}/1000000000')::ext.sparsevec
    from search.query_terms(p_kind, p_query) as q;
$function$;
comment on function search.query_vector(text, text) is 'Weights of the goal''s tokens; empty where the kind knows none of them.';
