-- Writes: search.card.
create or replace function catalog.card_added()
returns trigger
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform search.set_rights(g.kind, g.refs, g.classes)
    from (
        select i.kind, array_agg(i.id) as refs, array_agg(i.rights_class) as classes
        from written as w
        inner join catalog.item as i on i.id = w.ref and i.kind = w.kind
        where i.rights_class <> w.rights_class
        group by i.kind
    ) as g;
    return null;
end
$function$;
comment on function catalog.card_added() is
'Trigger that gives a new card the rights class of the card''s item. (The same access rules apply to everything in a '
'rights class.) The trigger runs after each statement, and reads the new rows from a transition table called '
'"written".';
