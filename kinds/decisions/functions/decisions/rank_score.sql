-- decisions.rank_score: each part is scaled to 0 to 1, but utility, which may be negative, and multiplied with its
-- weight. Of the cases, the logarithm counts, and those beyond 400 add nothing.
create or replace function decisions.rank_score(
    p_weights decisions.rank_weights, p_topic real, p_place real, p_confidence text, p_utility real, p_cases real
)
returns real
language plpgsql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_many_cases constant integer := 400;
    v_levels constant text[] := array['low', 'medium', 'high'];
begin
    return (
        p_weights.topic * least(p_topic, 1)
        + p_weights.place * coalesce(p_place, 0)
        + p_weights.confidence * array_position(v_levels, p_confidence) / cardinality(v_levels)
        + p_weights.utility * p_utility
        + p_weights.cases * least(ln(1 + coalesce(p_cases, 0)) / ln(1 + v_many_cases), 1)
    )::real;
end
$function$;
comment on function decisions.rank_score(decisions.rank_weights, real, real, text, real, real) is
'Computes the score of a decision within its tier. Arguments: p_weights: the weights (decisions.rank_weights); '
'p_topic: how much the decision has in common with the task; p_place: how closely its scope matches the path (null: it '
'is about other paths); p_confidence: low, medium or high; p_utility: the gain that was learned from outcomes; '
'p_cases: the number of cases in the code (null: unknown). Returns the score.';
grant execute on function decisions.rank_score to qm_reader;
