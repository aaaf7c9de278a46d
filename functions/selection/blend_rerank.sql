-- selection.blend_rerank: the combined score is (1 - w) * score + w * s((r - mean) / deviation). Here, w is the weight
-- p_weight, s is the logistic function, and r is the score from the cross-encoder. The mean and the deviation are those
-- of all scores r. The cross-encoder may therefore use any scale, and one very high or low score does not make the
-- other scores alike. A card that the cross-encoder did not read gets its worst score, so the order of such cards does
-- not change.
create or replace function selection.blend_rerank(
    p_card_ids bigint[], p_scores real[], p_rerank jsonb, p_weight real
)
returns real[]
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    with card as (
        select c.position, c.score, (p_rerank -> 'scores' ->> c.card_id::text)::double precision as raw
        from unnest(p_card_ids, p_scores) with ordinality as c (card_id, score, position)
    ),

    judged as (
        select
            c.position,
            c.score,
            1 / (
                1 + exp(coalesce((avg(c.raw) over () - c.raw) / nullif(stddev_pop(c.raw) over (), 0), 0))
            ) as relevance,
            c.raw
        from card as c
    )

    select case
        when bool_or(j.raw is not null) then
            array_agg(
                (
                    (1 - p_weight) * j.score
                        + p_weight * coalesce(case when j.raw is not null then j.relevance end, w.relevance)
                )::real
                order by j.position
            )
        else p_scores
    end
    from judged as j
    cross join (select min(x.relevance) as relevance from judged as x where x.raw is not null) as w;
$function$;
comment on function selection.blend_rerank(bigint[], real[], jsonb, real) is
'Combines the scores of the search with the scores of a cross-encoder. Arguments: p_card_ids: ids of the cards, best '
'first; p_scores: scores of these cards from the search; p_rerank: JSON {"scores": {card id: score}} with scores of a '
'cross-encoder (null: no cross-encoder); p_weight: weight of the cross-encoder (0 to 1). Returns the combined scores, '
'in the order of the cards.';
grant execute on function selection.blend_rerank to qm_reader;
