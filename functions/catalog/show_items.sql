-- catalog.show_items: vectors are kept, so that an item that comes back need not be embedded again.
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
            array_agg(i.id) filter (where i.is_live) as live,
            array_agg(i.id) filter (where not i.is_live) as withheld
        from catalog.item as i
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
'Creates a card for each given item that is offered now, and removes the card of each given item that is not offered. '
'Searches therefore find only offered items. Argument p_item_ids: ids of items whose status or definition changed.';
