-- selection.explain_unshown: if the same choice without a budget shows the card, the budget is the reason; otherwise
-- selection.judge says which rule keeps the card out even then. To find the most similar shown card, the card is chosen
-- after all shown ones: selection.diversify then says how similar it is to them.
create or replace function selection.explain_unshown(
    p_candidates selection.candidate[],
    p_shown bigint[],
    p_card_id bigint,
    p_mode selection.mode,
    p_top integer,
    p_budget integer,
    p_least real
)
returns jsonb
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_free bigint[] := p_shown; -- shown without a budget
    v_rule text;
    v_card selection.candidate;
    v_last selection.candidate; -- the least valuable of them
    v_like record;
begin
    select c.* into v_card from unnest(p_candidates) as c where c.card_id = p_card_id;
    if v_card.card_id is null or p_card_id = any(p_shown) then
        return null;
    end if;
    if p_budget is not null then
        v_free := array(
            select d.card_id
            from selection.diversify(
                array(select c from unnest(p_candidates) as c where (c.probability < p_least) is not true),
                p_mode.lambda,
                p_mode.top,
                p_top
            ) as d
            order by d.rank
        );
    end if;
    if p_card_id = any(v_free) then
        return jsonb_build_object(
            'reason', 'over_budget',
            'detail', jsonb_build_object(
                'tokens', v_card.tokens,
                'left', p_budget - (
                    select coalesce(sum(c.tokens), 0) from unnest(p_candidates) as c where c.card_id = any(p_shown)
                ),
                'budget', p_budget
            ),
            'remedy', 'Allow more tokens (budget_tokens).'
        );
    end if;

    select j.rule
    into v_rule
    from selection.judge(p_candidates, v_free, null, p_least) as j
    where j.card_id = p_card_id;
    if v_rule = 'unlikely' then
        return jsonb_build_object(
            'reason', 'below_cut',
            'detail', jsonb_build_object(
                'rule', v_rule,
                'probability', v_card.probability,
                'least', p_least,
                'by', p_least - v_card.probability
            ),
            'remedy', 'The goal probably means something else. Word the goal with the words of the description. If the '
            'card is right for such goals, an operator can teach this (qm tool teach).'
        );
    end if;
    if v_rule = 'redundant' and p_mode.lambda > 0 then
        select d.redundancy, n.name
        into v_like
        from selection.diversify(
            array(
                select jsonb_populate_record(
                    c, jsonb_build_object('value', case c.card_id when p_card_id then 0 else 1 end)
                )
                from unnest(p_candidates) as c
                where c.card_id = any(v_free || p_card_id)
            ),
            0.5,
            cardinality(v_free) + 1,
            cardinality(v_free) + 1
        ) as d
        left join unnest(p_candidates) as n on n.card_id = d.nearest
        where d.card_id = p_card_id;
        -- A card that is as valuable as the last shown card may be similar to none.
        if v_like.name is not null then
            return jsonb_build_object(
                'reason', 'redundant',
                'detail', jsonb_build_object(
                    'with', v_like.name, 'similarity', v_like.redundancy, 'value', v_card.value
                ),
                'remedy', format('Use %s, which is similar and fits better, or ask for more results.', v_like.name)
            );
        end if;
    end if;
    select c.* into v_last from unnest(p_candidates) as c where c.card_id = any(v_free) order by c.value limit 1;
    return jsonb_build_object(
        'reason', 'below_cut',
        'detail', jsonb_build_object(
            'rule', 'below_cut',
            'place', (
                select count(*)
                from unnest(p_candidates) as c
                where c.value > v_card.value or c.value = v_card.value and c.card_id < p_card_id
            ) + 1,
            'top', p_top,
            'value', v_card.value,
            'least', v_last.value,
            'by', v_last.value - v_card.value
        ),
        'remedy', 'Ask for more results, or word the goal with the words of the description.'
    );
end
$function$;
comment on function selection.explain_unshown(
    selection.candidate[], bigint[], bigint, selection.mode, integer, integer, real
) is
'Explains why a candidate is not shown. Arguments: p_candidates: the candidates of the search; p_shown: ids of the '
'shown cards; p_card_id: the card; p_mode: the search mode; p_top: maximum number of cards; p_budget: maximum number '
'of tokens (null: no limit); p_least: minimum probability of a shown card. Returns {reason, detail, remedy}: below_cut '
'(with the amount that is missing), redundant (with the most similar shown card) or over_budget. The member rule of '
'below_cut is unlikely if the card is less probable than p_least, and below_cut if other cards fill the list. '
'Returns null if the card is shown or is no candidate.';
grant execute on function selection.explain_unshown to qm_reader;
