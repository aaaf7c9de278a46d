-- selection.fit_of: the probability of the best card alone is not sufficient: if three similar cards fit equally well,
-- each has a low probability, although one of them is right. Therefore, the result is a logistic function of three
-- logarithms:
-- 1. of the sum of the five highest probabilities, which is the expected number of right cards (weight fit_expected);
-- 2. of the sum of the odds of the five best scores (weight fit_odds);
-- 3. of one more than the number of words in the goal (weight fit_words).
-- The weights, and the constant fit, belong to the part "confidence" of the learned weights. The kind of the most
-- probable card decides which weights are used.
-- Definer: a search calls search.goal_model with the owner's rights, and this function calls search.goal_model, too.
-- With the caller's rights, PostgreSQL would plan the query of search.goal_model again, because the role has changed.
create or replace function selection.fit_of(p_candidates selection.candidate[], p_goal text)
returns real
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    with rated as (
        select c.kind, c.probability, least(greatest(c.blended, 1e-6), 1 - 1e-6)::float8 as score
        from unnest(p_candidates) as c
        where c.probability is not null
    ),

    listed as (
        select
            sum(p.probability) as expected,
            ln(greatest(sum(p.probability), 1e-6)) as fit_expected,
            (
                select ln(sum(b.score / (1 - b.score)))
                from (select r.score from rated as r order by r.score desc limit 5) as b
            ) as fit_odds,
            ln(1 + cardinality(regexp_split_to_array(btrim(p_goal), '\s+' collate core.c_utf8)))::float8 as fit_words
        from (select r.probability::float8 as probability from rated as r order by r.probability desc limit 5) as p
    ),

    learned as (
        select
            sum(c.weight) filter (where c.feature = 'fit') as fit,
            sum(c.weight) filter (where c.feature = 'fit_expected') as fit_expected,
            sum(c.weight) filter (where c.feature = 'fit_odds') as fit_odds,
            sum(c.weight) filter (where c.feature = 'fit_words') as fit_words
        from search.coefficient as c
        where c.kind = (select r.kind from rated as r order by r.probability desc limit 1)
            and c.profile = (select m.name from search.goal_model() as m)
            and c.part = 'confidence'
    )

    select coalesce(
        1 / (1 + exp(-(
            w.fit
                + w.fit_expected * l.fit_expected
                + coalesce(w.fit_odds * l.fit_odds, 0)
                + coalesce(w.fit_words * l.fit_words, 0)
        ))),
        case when l.expected > 1 then 1 else l.expected end
    )::real
    from listed as l
    cross join learned as w;
$function$;
comment on function selection.fit_of(selection.candidate[], text) is
'Computes the probability that at least one of the candidates fits the goal. Arguments: p_candidates: the candidates; '
'p_goal: the goal. Returns null if no candidate has a probability. If no weights have been learned for this '
'computation, returns the sum of the five highest probabilities of candidates, but at most 1.';
grant execute on function selection.fit_of to qm_reader;
