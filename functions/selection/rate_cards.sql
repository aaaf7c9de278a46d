-- selection.rate_cards: a score alone cannot show how probable it is that a card is right, because it only orders
-- cards: the best card has a high score even if no card fits. The probability is a logistic function of the card's
-- features and of its place in the list (after Platt, Probabilistic Outputs for Support Vector Machines, 1999). The
-- place consists of the odds of the card, its lead over the other cards, its rank, and the odds of the best card in the
-- list.
create or replace function selection.rate_cards(p_kind text, p_found search.found[], p_scores real[])
returns table (card_id bigint, probability real, place real[])
language plpgsql
stable parallel safe security invoker
rows 100
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_learned record;
    v_weights ext.vector;
    v_place_weights ext.vector;
begin
    select c.*
    into v_learned
    from search.coefficients(p_kind, array[(search.goal_model()).name]) as c
    where c.has_confidence;
    if not found then
        return;
    end if;
    v_weights := v_learned.confidence_weights;
    v_place_weights := v_learned.confidence_place;
    return query
    with scored as (
        -- A card that has no odds was scored by fusion, and scores from fusion can be compared only with other scores
        -- in the same list.
        select
            f.card_id,
            f.features,
            f.dense,
            ln(s.score / (1 - s.score)) as odds,
            row_number() over (order by s.score desc, f.card_id) as rank
        from rows from (unnest(p_found), unnest(p_scores)) as f (
            card_id, score, lexical, dense, fuzzy, sources, features, odds, twins, blended
        )
        cross join lateral (select least(greatest(f.blended::double precision, 1e-6), 1 - 1e-6) as score) as s
        where f.odds is not null
    ),

    placed as (
        select
            s.card_id,
            s.features,
            array[
                s.odds,
                s.odds ^ 2,
                greatest(s.odds - 3, 0),
                s.odds - coalesce(
                    case s.rank when 1 then nth_value(s.odds, 2) over list else first_value(s.odds) over list end,
                    s.odds
                ),
                ln(s.rank),
                first_value(s.odds) over list,
                max(s.dense) over list
            ]::real[] as place
        from scored as s
        window list as (order by s.rank rows between unbounded preceding and unbounded following)
    )

    select
        p.card_id,
        (
            1 / (1 + exp(
                (p.features::ext.vector operator(ext.<#>) v_weights)
                    + (p.place::ext.vector operator(ext.<#>) v_place_weights)
                - v_learned.confidence_intercept
            ))
        )::real,
        p.place
    from placed as p
    -- If no card has a vector yet, as during an import, no probability can be computed.
    where p.place[7] > 0;
end
$function$;
comment on function selection.rate_cards(text, search.found[], real[]) is
'Computes for each card in a list the probability that the card is right for the goal. Arguments: p_kind: kind of '
'card; p_found: visible cards of this kind from the search engine; p_scores: score of each card, after '
'selection.blend_rerank. Returns for each card the probability, and the numbers that describe the place of the card in '
'the list (in the order of search.place_names). Returns no row if no weights have been learned for this probability '
'with the active embedding model, or if no card has a vector yet.';
grant execute on function selection.rate_cards to qm_reader;
