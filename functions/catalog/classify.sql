-- catalog.classify: everything that rules look at, classed anew under the rules as they are now.
-- Alone, because rules have changed, or the way in which they are read.  Writes: rights classes everywhere.
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
comment on function catalog.classify() is 'Origins, items and cards of every kind get the rights class that the active rules give them.';
