-- catalog.show_items: the vector of a removed card is kept, so that the item need not be embedded again when it is
-- offered again. An item that only a user interface calls has no card, so no search and no list for models contains it.
-- Writes: cards.
create or replace function catalog.show_items(p_item_ids bigint[])
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_changed record;
begin
    for v_changed in
        select
            i.kind,
            array_agg(i.id) filter (where i.is_live and m.is_for_models) as live,
            array_agg(i.id) filter (where not (i.is_live and m.is_for_models)) as withheld
        from catalog.item as i
        cross join lateral (select catalog.is_for_models(i.definition)) as m (is_for_models)
        where i.id = any(p_item_ids)
        group by i.kind
        order by i.kind
    loop
        if v_changed.live is not null then
            perform search.put_cards(v_changed.kind, catalog.cards(v_changed.kind, v_changed.live));
        end if;
        if v_changed.withheld is not null then
            perform search.remove_cards(v_changed.kind, v_changed.withheld);
        end if;
    end loop;
end
$function$;
comment on function catalog.show_items(bigint[]) is
'Creates a card for each given item that is offered to models now, and removes the cards of all other given items. '
'Searches therefore find only offered items. Argument p_item_ids: ids of items whose status or definition changed.';
