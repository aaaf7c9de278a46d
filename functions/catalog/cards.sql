-- catalog.cards: the kind's own function writes the texts. That function cannot choose the item, the public name or the
-- origin of a card, because the rights depend on them. Rules and operators' decisions apply to every kind in the same
-- way.
create or replace function catalog.cards(p_kind text, p_item_ids bigint[])
returns jsonb
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_cards jsonb;
begin
    execute format(
        $query$
        select coalesce(
            jsonb_agg(
                %s(i.id, i.public_name, o.name, o.description, i.definition)
                || jsonb_build_object(
                    'ref', i.id,
                    'name', i.public_name,
                    'origin', o.name,
                    'categories', i.categories,
                    'traits', i.traits,
                    'downrank', greatest(i.downrank, i.dishonesty)
                )
                order by i.id
            ), '[]'
        )
        from catalog.item as i
        inner join catalog.origin as o on o.id = i.origin_id
        where i.kind = $1 and i.id = any($2)
        $query$,
        (select k.card_function::regproc from search.kind as k where k.name = p_kind)
    )
    into v_cards
    using p_kind, p_item_ids;
    return v_cards;
end
$function$;
comment on function catalog.cards(text, bigint[]) is
'Converts items of one kind to cards, in the form that search.put_cards takes. Arguments: p_kind: kind of card; '
'p_item_ids: ids of the items. Returns a JSON array of cards in that form. The member ref of a card is the id of the '
'item.';
