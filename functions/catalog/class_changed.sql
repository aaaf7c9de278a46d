-- catalog.class_changed: trigger on items and origins that keeps their rights class.
-- Statement by statement, so that a batch is classed at once. Rows of which rules see nothing new are left alone, and so the second
-- statement, which writes the class, ends it.
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
comment on function catalog.class_changed() is 'Trigger, after each statement, with transition tables written and, for updates, replaced. Names of origins and items never change.';
