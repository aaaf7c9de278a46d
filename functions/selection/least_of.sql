-- selection.least_of: a limit is computed for each kind: the best probability of the kind, multiplied by p_tail. The
-- highest limit of all kinds is returned. With the weights for large catalogs and long goals, probabilities differ
-- more: their logarithms are spread about one and a half times as widely (lab/notes/selection.md#where-the-list-ends).
-- Therefore, p_tail is then raised to a power of up to 1.5.
-- Definer: a search calls search.goal_model with the owner's rights, and this function calls search.goal_model, too.
-- With the caller's rights, PostgreSQL would plan the query of search.goal_model again, because the role has changed.
create or replace function selection.least_of(p_candidates selection.candidate[], p_goal text, p_tail real)
returns real
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select (max(b.probability) * p_tail ^ (1 + coalesce(max(w.large_share), 0) / 2))::real
    from (
        select c.kind, max(c.probability) as probability
        from unnest(p_candidates) as c
        where c.probability is not null
        group by c.kind
    ) as b
    left join lateral search.coefficients(b.kind, array[(search.goal_model()).name], p_goal) as w on true;
$function$;
comment on function selection.least_of(selection.candidate[], text, real) is
'Computes the probability below which a candidate is too unlikely to be shown. Arguments: p_candidates: the '
'candidates; p_goal: the goal; p_tail: share of the best probability that a card must reach, from 0 to 1. In a large '
'catalog, and for a long goal, a smaller share is enough. Returns the probability, or null if no candidate has a '
'probability.';
grant execute on function selection.least_of to qm_reader;
