-- catalog.classify: call this function after a change to the rules, the toolsets or the hidden kinds. The function
-- takes the exclusive lock on the rules (policy.lock_rights).
-- Writes: rights classes of origins, items and cards.
create or replace function catalog.classify()
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.lock_rights(true);
    perform catalog.classify_origins();
    perform catalog.classify_items();
    perform search.classify_cards();
    perform policy.drop_classes();
end
$function$;
comment on function catalog.classify() is
'Computes the rights class of each origin, item and card from the active rules. The same rules apply to all origins, '
'items and cards in one rights class.';
