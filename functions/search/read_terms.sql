create or replace function search.read_terms(p_kind text, p_query text)
returns search.goal_terms
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select (
        (
            '{' || coalesce(string_agg(q.term_id || ':' || q.weight, ',' order by q.term_id), '') || '}/1000000000'
        )::ext.sparsevec,
        array_agg(q.term_id order by q.term_id),
        array_agg(q.lexeme order by q.term_id),
        array_agg(q.weight order by q.term_id),
        array_agg(q.factor order by q.term_id),
        sum(q.weight)
    )::search.goal_terms
    from search.query_terms(p_kind, p_query) as q;
$function$;
comment on function search.read_terms(text, text) is
'Reads the terms of a goal (search.query_terms) once for all functions that need these terms. Arguments: p_kind: kind '
'of card; p_query: the goal. Returns the tokens of the goal as arrays and as a vector, in one row. The arrays are null '
'if no card of the kind contains a token of the goal.';
