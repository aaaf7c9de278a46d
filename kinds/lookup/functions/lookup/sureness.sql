-- lookup.sureness: the probability is a logistic function of the odds of the answer against all others, and of the
-- features of its row (after Platt, Probabilistic Outputs for Support Vector Machines, 1999). p_place_weights are the
-- weights of the first three members of search.place_names: odds, odds_squared and odds_high.
create or replace function lookup.sureness(
    p_features real[], p_odds double precision, p_intercept real, p_place_weights real[], p_weights real[]
)
returns double precision
language plpgsql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_odds constant double precision := greatest(-10, least(12, p_odds));
begin
    return 0.9999 / (1 + exp(
        (p_features::ext.vector operator(ext.<#>) p_weights::ext.vector)
        - p_intercept - p_place_weights[1] * v_odds
        - p_place_weights[2] * v_odds ^ 2 - p_place_weights[3] * greatest(v_odds - 3, 0)
    ));
end
$function$;
comment on function lookup.sureness(real[], double precision, real, real[], real[]) is
'Computes the probability that the first answer of a lookup is right. Arguments: p_features: the features of the first '
'row; p_odds: the score of the answer minus the logarithm of the second result of lookup.rivals (the weight of all '
'others); p_intercept, p_place_weights and p_weights: the learned weights of the probability (search.coefficients). '
'Returns the probability.';
