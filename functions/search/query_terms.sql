-- search.query_terms: the setting goal.max_terms limits the number of tokens. The inverse document frequency is ln(1 +
-- (N - n + 0.5) / (n + 0.5)), which is never negative (the Lucene form): N is the number of cards of the kind, and n is
-- the number of cards that contain the token.
create or replace function search.query_terms(p_kind text, p_query text)
returns table (term_id integer, lexeme text, cards integer, weight real, bound real, factor real)
language sql
stable parallel safe security invoker
rows 20
set search_path = pg_catalog, pg_temp
as $function$
    select
        t.id,
        t.lexeme,
        t.cards,
        s.weight,
        s.weight * t.max_weight,
        t.factor
    from unnest(search.tokenize(p_query)) as u
    inner join search.term as t on t.kind = p_kind and t.lexeme = u.lexeme and t.cards > 0
    inner join search.kind as k on k.name = t.kind
    cross join lateral (
        select (
            cardinality(u.positions) * ln(1 + (k.cards - t.cards + 0.5::float8) / (t.cards + 0.5::float8))
        )::real as weight
    ) as s
    order by s.weight * t.max_weight desc, t.id
    limit (core.get_setting('goal.max_terms'))::integer;
$function$;
comment on function search.query_terms(text, text) is
'Splits a goal into tokens, and returns the tokens that occur in cards of a kind. Arguments: p_kind: kind of card; '
'p_query: the goal. Returns for each token: the document frequency; the weight in the goal (count times inverse '
'document frequency); the largest amount that the token can add to a score; the factor by which the weights in the '
'token''s postings are multiplied (see search.weigh). The token that can add most comes first.';
