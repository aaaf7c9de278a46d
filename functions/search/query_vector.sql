-- search.query_vector: returns a goal as a sparse vector. Its inner product with search.lexical.weights is the BM25
-- score.
create or replace function search.query_vector(p_kind text, p_query text)
returns ext.sparsevec
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select (search.read_terms(p_kind, p_query)).query;
$function$;
comment on function search.query_vector(text, text) is
'Returns the weights of the goal''s tokens; empty if the kind knows none of them.';
