-- selection.value_cards: computes the utility of the cards of a pool, and leaves out cards that the caller may not see.
-- U = a * score + b * success - c * latency - d * risk, with the blended score (selection.blend_rerank), and success
-- and latency relative to the kind (selection.refresh_utility): a card that nobody has called keeps its score. Then the
-- downrank by operators or probes is subtracted.
create or replace function selection.value_cards(
    p_kinds text[], p_found search.found[], p_rerank jsonb, p_mode selection.mode
)
returns setof selection.candidate
language plpgsql
stable parallel safe security invoker
rows 100
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_card_ids constant bigint[] := array(select f.card_id from unnest(p_found) as f);
    v_scores constant real[] := array(select f.score from unnest(p_found) as f);
begin
    return query
    select
        c.id,
        c.ref,
        g.score,
        (p_rerank -> 'scores' ->> c.id::text)::real,
        g.blended,
        u.success_gain,
        u.latency_loss,
        c.risk,
        (
            p_mode.weight_score * g.blended
            + p_mode.weight_success * coalesce(u.success_gain, 0)
            - p_mode.weight_latency * coalesce(u.latency_loss, 0)
            - p_mode.weight_risk * c.risk
            - c.downrank
        )::real,
        c.tokens
    from unnest(v_card_ids, v_scores, selection.blend_rerank(v_card_ids, v_scores, p_rerank, p_mode.weight_rerank))
        as g (card_id, score, blended)
    inner join search.card as c on c.id = g.card_id
    left join selection.utility as u on u.kind = c.kind and u.ref = c.ref
    where c.kind = any(p_kinds)
    order by 9 desc, 1;
end
$function$;
comment on function selection.value_cards(text[], search.found[], jsonb, selection.mode) is
'Arguments: kinds; results of the engine; rerank or null; mode. Returns visible cards, highest utility first.';
grant execute on function selection.value_cards to qm_user;
