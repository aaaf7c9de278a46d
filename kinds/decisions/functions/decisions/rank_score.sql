-- decisions.rank_score: the score is the sum of several parts. Each part is scaled to the range from 0 to 1, and then
-- multiplied by its weight; only utility may be negative. The part for cases is the logarithm of their number, and more
-- than 400 cases count as 400.
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
'p_topic: how much the decision has in common with the task, from 0 to 1; p_place: how closely the decision''s scope '
'matches the path, from 0 to 1 (null: the decision is about other paths); p_confidence: confidence of the decision: '
'low, medium or high; p_utility: the success that was learned from outcomes, relative to other decisions (0: none was '
'learned); p_cases: the number of cases in the code (null: unknown). Returns the score.';
grant execute on function decisions.rank_score to qm_reader;
