-- selection.least_of: with the weights for large catalogs and long goals, the logarithms of the probabilities differ
-- about one and a half times as much (lab/notes/selection.md#where-the-list-ends), so the share is raised to the power
-- of up to 1.5.
-- Of several kinds, the one that is largest decides.
-- Definer: the search that calls it is one, and PostgreSQL makes a new plan whenever the role changes.
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
'candidates; p_goal: the goal; p_tail: share of the best probability. In a large catalog, and for a long goal, a '
'smaller share is enough: p_tail to the power of up to 1.5, depending on the share of the weights for large catalogs '
'(see search.coefficients). Returns null if no candidate has a probability.';
grant execute on function selection.least_of to qm_reader;
