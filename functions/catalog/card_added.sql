-- catalog.card_added: trigger that gives the card of a tool the tool's rights class.
-- Writes: search.card.
create or replace function catalog.card_added()
returns trigger
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform search.set_rights('tool', array_agg(t.id), array_agg(t.rights_class))
    from written as w
    inner join catalog.tool as t on t.id = w.ref
    where w.kind = 'tool' and t.rights_class <> w.rights_class
    having count(*) > 0;
    return null;
end
$function$;
comment on function catalog.card_added() is 'Trigger, after each statement, with the transition table written.';
