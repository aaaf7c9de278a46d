-- selection.value_cards: u = a * score + b * success - c * latency - d * risk, where score is the blended score
-- (selection.blend_rerank), and success and latency are relative to the kind (selection.refresh_utility). A card that
-- nobody has called keeps its score. Then the function subtracts the downrank that an operator or a probe has set. A
-- card that cannot be used now loses a share of the remaining value, so that it ranks below cards that fit about as
-- well. Its probability does not change.
-- Definer: with the caller's rights, PostgreSQL would check the row policies of five tables, which takes longer than
-- the computation. Callers still get only cards that they may see, because the function first checks policy.is_visible.
create or replace function selection.value_cards(
    p_kinds text[], p_found search.found[], p_rerank jsonb, p_mode selection.mode
)
returns setof selection.candidate
language plpgsql
stable parallel safe security definer
rows 100
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_card_ids constant bigint[] := array(select f.card_id from unnest(p_found) as f);
    v_scores constant real[] := array(select f.score from unnest(p_found) as f);
begin
    perform policy.require_principal();
    return query
    with known as materialized (
        select c.id, c.kind, c.name, c.ref, c.risk, c.downrank, c.tokens, f as found, g.score, g.blended
        from unnest(p_found) as f
        inner join search.card as c
            on c.id = f.card_id and policy.is_visible(c.rights_class, (select policy.visible_classes()))
        inner join unnest(
            v_card_ids, v_scores, selection.blend_rerank(v_card_ids, v_scores, p_rerank, p_mode.weight_rerank)
        )
            as g (card_id, score, blended) on g.card_id = c.id
        where c.kind = any(p_kinds)
    ),

    listed as (
        select k.kind, array_agg(k.ref) as refs, array_agg(k.found) as found, array_agg(k.blended) as scores
        from known as k
        group by k.kind
    ),

    rated as (
        select r.* from listed as l cross join lateral selection.rate_cards(l.kind, l.found, l.scores) as r
    ),

    away as (
        select l.kind, a.ref, row(a.reason, a.remedy, a.until)::selection.unavailability as unavailable
        from listed as l
        cross join lateral selection.find_unavailable(l.kind, l.refs) as a
    )

    select
        k.id,
        k.ref,
        k.score,
        (p_rerank -> 'scores' ->> k.id::text)::real,
        k.blended,
        u.success_gain,
        u.latency_loss,
        k.risk,
        (
            v.value - case when a.unavailable is null then 0 else p_mode.weight_unavailable * greatest(v.value, 0) end
        )::real,
        k.tokens,
        r.probability,
        r.place,
        a.unavailable,
        k.kind,
        k.name
    from known as k
    left join selection.utility as u on u.kind = k.kind and u.ref = k.ref
    cross join lateral (
        select
            p_mode.weight_score * k.blended
            + p_mode.weight_success * coalesce(u.success_gain, 0)
            - p_mode.weight_latency * coalesce(u.latency_loss, 0)
            - p_mode.weight_risk * k.risk
            - k.downrank as value
    ) as v
    left join rated as r on r.card_id = k.id
    left join away as a on a.kind = k.kind and a.ref = k.ref
    order by 9 desc, 1;
end
$function$;
comment on function selection.value_cards(text[], search.found[], jsonb, selection.mode) is
'Computes for each candidate card its utility (the value by which cards are ranked), and the probability that the card '
'is right for the goal. Leaves out cards that the caller may not see. Arguments: p_kinds: kind of each card; p_found: '
'cards from the search engine; p_rerank: scores from a cross-encoder (null: no cross-encoder); p_mode: the search '
'mode. Returns the visible cards, highest utility first.';
grant execute on function selection.value_cards to qm_reader;
