-- catalog.past_places: the same search with deeper channels tells where the item comes in each.
create or replace function catalog.past_places(
    p_kind text, p_goal text, p_vector ext.vector, p_as_of timestamptz, p_mode selection.mode, p_item_id bigint
)
returns jsonb
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_deep selection.mode := p_mode;
begin
    v_deep.lexical := greatest(p_mode.lexical, 1000);
    v_deep.dense := greatest(p_mode.dense, 200);
    v_deep.fuzzy := greatest(p_mode.fuzzy, 1000);
    return (
        with ranked as (
            select
                r.item_id,
                s.source,
                row_number() over (
                    partition by s.source
                    order by
                        case s.source when 'lexical' then r.lexical when 'dense' then r.dense else r.fuzzy end desc,
                        r.item_id
                ) as rank
            from catalog.rank_past(p_kind, p_goal, p_vector, p_as_of, v_deep) as r
            cross join lateral unnest(r.sources) as s (source)
        )

        select jsonb_object_agg(
            n.source,
            jsonb_build_object(
                'rank', (select r.rank from ranked as r where r.source = n.source and r.item_id = p_item_id),
                'found', (
                    select count(*)
                    from ranked as r
                    where r.source = n.source
                        and r.rank <= case n.source
                            when 'lexical' then p_mode.lexical
                            when 'dense' then p_mode.dense
                            else p_mode.fuzzy
                        end
                )
            )
        )
        from unnest('{lexical,dense,fuzzy}'::text[]) as n (source)
    );
end
$function$;
comment on function catalog.past_places(text, text, ext.vector, timestamptz, selection.mode, bigint) is
'Finds the place of an item in each channel of a search of the past. Arguments: p_kind: kind of card; p_goal: the '
'goal; p_vector: vector of the goal (null: no vector); p_as_of: the given time; p_mode: the search mode; p_item_id: '
'the item. Returns for each channel (lexical, dense and fuzzy) the rank of the item (null: the channel does not find '
'it, even if it looks deeper) and how many candidates the channel found.';
grant execute on function catalog.past_places to qm_reader;
