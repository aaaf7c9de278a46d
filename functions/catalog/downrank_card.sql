-- catalog.downrank_card: the card of a tool loses in selections what the operator or the probes subtract, whichever is more.
-- Writes: search.card.
create or replace function catalog.downrank_card(p_tool_id bigint)
returns void
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    update search.card as c
    set downrank = greatest(t.downrank, t.dishonesty)
    from catalog.tool as t
    where t.id = p_tool_id and c.kind = 'tool' and c.ref = t.id;
$function$;
comment on function catalog.downrank_card(bigint) is 'Argument: a tool whose downrank or dishonesty has changed.';
