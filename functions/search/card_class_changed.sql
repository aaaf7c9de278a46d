-- search.card_class_changed: the trigger skips a card if no rule depends on the changed columns. The trigger itself
-- writes the class of the card, which calls the trigger again. This second call skips the card, because no rule depends
-- on the class.
-- Writes: search.card, policy.rights_class.
create or replace function search.card_class_changed()
returns trigger
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
set enable_nestloop = off -- a plan that was made for a few rows would compare thousands with each other
as $function$
begin
    if tg_op = 'INSERT' then
        perform search.classify_cards(array_agg(w.id)) from written as w having count(*) > 0;
    else
        perform search.classify_cards(array_agg(w.id))
        from written as w
        inner join replaced as o on o.id = w.id
        where (w.name, w.origin, w.categories, w.traits, w.audience_id)
            is distinct from (o.name, o.origin, o.categories, o.traits, o.audience_id)
        having count(*) > 0;
    end if;
    return null;
end
$function$;
comment on function search.card_class_changed() is
'Trigger that keeps the rights classes of cards up to date. (The same access rules apply to all cards in a rights '
'class.) It does not change cards of items (see search.classify_cards). The trigger runs after each statement. It '
'reads the new rows from a transition table called "written" and, after an update, the old rows from a transition '
'table called "replaced".';
