-- catalog.class_changed: the trigger runs once per statement, so that a whole batch is classified together. It skips a
-- row if no rule depends on the changed columns. This also ends the recursion: the trigger writes the class, and rules
-- do not depend on the class.
-- Writes: catalog.item, catalog.origin, cards, policy.rights_class.
create or replace function catalog.class_changed()
returns trigger
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if tg_table_name = 'origin' then
        perform catalog.classify_origins(array_agg(n.id)) from written as n having count(*) > 0;
    elsif tg_op = 'INSERT' then
        perform catalog.classify_items(array_agg(n.id)) from written as n having count(*) > 0;
    else
        perform catalog.classify_items(array_agg(n.id))
        from written as n
        inner join replaced as o on o.id = n.id
        where (n.categories, n.traits) is distinct from (o.categories, o.traits)
        having count(*) > 0;
    end if;
    return null;
end
$function$;
comment on function catalog.class_changed() is
'Trigger that keeps the rights classes of items and origins up to date. (The same access rules apply to everything in '
'a rights class.) The trigger runs after each statement. It reads the new rows from a transition table called '
'"written" and, for updates, the old rows from a transition table called "replaced". The trigger does not compare '
'names, because names of origins and items never change.';
