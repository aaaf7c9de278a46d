-- Writes: search.card.
create or replace function catalog.downrank_card(p_item_id bigint)
returns void
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    update search.card as c
    set downrank = greatest(i.downrank, i.dishonesty)
    from catalog.item as i
    where i.id = p_item_id and c.kind = i.kind and c.ref = i.id;
$function$;
comment on function catalog.downrank_card(bigint) is
'Lowers the rank of an item''s card. There are two amounts: the amount that an operator has set, and the amount that '
'results from probes (test calls). The larger of them is subtracted from the utility, the value by which cards are '
'ranked. Argument p_item_id: id of the item.';
