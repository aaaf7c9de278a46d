-- search.classify_cards: it skips cards that belong to items, because these get the class of their item
-- (search.set_rights).
-- Writes: search.card, policy.rights_class.
create or replace function search.classify_cards(p_card_ids bigint[] default null)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_items policy.item[];
begin
    select array_agg(
        (c.id, c.kind, c.origin, c.name, c.categories, c.traits, coalesce(k.audience_id, c.audience_id))::policy.item
    )
    into v_items
    from search.card as c
    inner join search.kind as k on k.name = c.kind
    where k.card_function is null and (p_card_ids is null or c.id = any(p_card_ids));
    if v_items is null then
        return;
    end if;
    update search.card as c
    set rights_class = x.rights_class
    from policy.classify(v_items) as x
    where c.id = x.ref and c.rights_class is distinct from x.rights_class;
end
$function$;
comment on function search.classify_cards(bigint[]) is
'Updates the rights classes of cards. (The same access rules apply to all cards in a rights class.) Argument '
'p_card_ids: ids of the cards (null: all cards).';
