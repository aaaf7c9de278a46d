-- search.find_names: candidates are names that contain the rarest lexemes of the query. The best candidates are then
-- compared by all lexemes. A name is ranked by a sum of two numbers: the cosine between the weights of its lexemes and
-- the weights of the query's lexemes, and half the share of the query that the name contains. The second number is
-- added because the cosine alone prefers short names.
-- Only functions that check visibility may call this function, because postings contain no rights.
create or replace function search.find_names(
    p_term_ids integer[], p_weights real[], p_query ext.sparsevec, p_most real, p_limit integer
)
returns table (card_id bigint)
language plpgsql
stable parallel unsafe security invoker
rows 20
set search_path = pg_catalog, pg_temp
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan -- the plan is the same for every query, and planning has a cost
as $function$
begin
    return query
    with list as materialized (
        select p.block * 32768 as start, p.places, q.weight
        from unnest(p_term_ids, p_weights) as q (term_id, weight)
        inner join search.name_posting as p on p.term_id = q.term_id
    ),

    listed as (
        select l.start + unnest(l.places) as card_id, l.weight from list as l
    ),

    -- If a list is long enough to fill the limit, names that weigh less than this list are not sorted.
    nearest as (
        select l.card_id, sum(l.weight) as weight
        from listed as l
        group by l.card_id
        having sum(l.weight)
            >= (select coalesce(max(o.weight), 0) from list as o where cardinality(o.places) >= 4 * p_limit)
        order by 2 desc, 1
        limit 4 * p_limit
    )

    select n.card_id
    from nearest as n
    inner join search.lexical as l on l.card_id = n.card_id
    cross join lateral (select -(l.weights operator(ext.<#>) p_query) / p_most as share offset 0) as s
    order by s.share * sqrt(p_most / greatest(l.length, 1)) + s.share / 2 desc, n.card_id
    limit p_limit;
end
$function$;
comment on function search.find_names(integer[], real[], ext.sparsevec, real, integer) is
'Finds the names that are most similar to a query. Arguments: p_term_ids: ids of the rarest lexemes in the query; '
'p_weights: weights of these lexemes; p_query: weights of all lexemes in the query; p_most: sum of the weights in '
'p_query; p_limit: maximum number of names. Returns the cards of the names, nearest first.';
