-- selection.explain_unfound: the same search with deeper channels tells where the card comes in each. The search by
-- meaning cannot look deeper, because hnsw.ef_search is limited: search.nearest reads up to five times as many cards.
create or replace function selection.explain_unfound(
    p_kind text, p_goal text, p_vector ext.vector, p_mode selection.mode, p_card_id bigint, p_found search.found[]
)
returns jsonb
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_deep selection.mode := p_mode;
    v_channels jsonb;
begin
    if exists (select from unnest(p_found) as f where f.card_id = p_card_id) then
        return null;
    end if;
    v_deep.lexical := greatest(p_mode.lexical, 1000);
    v_deep.dense := greatest(p_mode.dense, 200);
    v_deep.fuzzy := greatest(p_mode.fuzzy, 1000);
    with deep as materialized (
        select f.card_id, f.lexical, f.dense, f.fuzzy, f.sources
        from unnest(selection.find_candidates(p_kind, p_goal, p_vector, v_deep)) as f
    ),

    ranked as (
        select
            d.card_id,
            s.source,
            row_number() over (
                partition by s.source
                order by case s.source when 'lexical' then d.lexical when 'dense' then d.dense else d.fuzzy end desc,
                    d.card_id
            ) as rank
        from deep as d
        cross join lateral unnest(d.sources) as s (source)
    )

    select jsonb_object_agg(
        n.source,
        jsonb_build_object(
            'rank', (select r.rank from ranked as r where r.source = n.source and r.card_id = p_card_id),
            'found', (select count(*) from unnest(p_found) as f where n.source = any(f.sources))
        )
    )
    into v_channels
    from unnest('{lexical,dense,fuzzy}'::text[]) as n (source);
    return jsonb_build_object(
        'reason', 'in_no_channel',
        'detail', jsonb_build_object('channels', v_channels),
        'remedy', 'Word the goal with the words of the name and the description. If the card is right for such goals, '
        'an operator can teach this (qm tool teach).'
    );
end
$function$;
comment on function selection.explain_unfound(
    text, text, ext.vector, selection.mode, bigint, search.found[]
) is
'Explains how far a card is from being a candidate. Arguments: p_kind: kind of card; p_goal: the goal; p_vector: '
'vector of the goal (null: no vector); p_mode: the search mode; p_card_id: the card; p_found: the candidates of the '
'search. Returns {reason, detail, remedy}; the detail contains for each channel (lexical, dense and fuzzy) the rank of '
'the card (null: the channel does not find it, even if it looks deeper) and how many candidates the channel found. '
'Returns null if the card is a candidate.';
grant execute on function selection.explain_unfound to qm_reader;
