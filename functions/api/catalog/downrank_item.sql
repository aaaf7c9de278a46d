-- Writes: catalog.item, search.card.
create or replace function api.downrank_item(
    kinds text[], name text, downrank real, reason text default '', dry_run boolean default false
)
returns table (kind text, was real, becomes real)
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_item_id bigint;
begin
    perform policy.require_principal();
    v_item_id := catalog.item_id(downrank_item.kinds, downrank_item.name);
    perform core.require_between(
        'downrank',
        downrank_item.downrank::numeric,
        0,
        1,
        'Use 0 for no change, 0.3 to rank the item below similar items, 1 to rank it last.'
    );
    select i.kind, i.downrank, downrank_item.downrank
    into kind, was, becomes
    from catalog.item as i
    where i.id = v_item_id
    for no key update;
    if not downrank_item.dry_run then
        update catalog.item as i
        set downrank = downrank_item.downrank, downrank_reason = left(coalesce(downrank_item.reason, ''), 2000)
        where i.id = v_item_id;
        perform catalog.downrank_card(v_item_id);
    end if;
    return next;
end
$function$;
comment on function api.downrank_item(text[], text, real, text, boolean) is
'Lowers the rank of an item in search results, by subtracting an amount from the item''s utility (the value by which '
'results are sorted). Arguments: kinds: kinds of card in which to look for the name (null: all kinds); name: public '
'name of the item; downrank: amount to subtract from the utility, from 0 (nothing) to 1; reason: reason for the '
'change; dry_run: true to preview the change without making it. Returns the kind of the item, the amount that was '
'subtracted before the change, and the amount that is subtracted after the change. Raises QM404 tool_not_found, '
'asset_not_found, card_not_found, QM409 asset_ambiguous, card_ambiguous, QM422 argument_invalid.';
grant execute on function api.downrank_item to qm_operator;
