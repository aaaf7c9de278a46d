-- catalog.show_tools: live tools get their cards, all others lose theirs. Vectors stay, so that a tool that comes back is embedded already.
-- Writes: cards.
create or replace function catalog.show_tools(p_tool_ids bigint[])
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_live bigint[];
    v_withheld bigint[];
begin
    select array_agg(t.id) filter (where t.is_live), array_agg(t.id) filter (where not t.is_live)
    into v_live, v_withheld
    from catalog.tool as t
    where t.id = any(p_tool_ids);
    if v_live is not null then
        perform search.put_cards('tool', catalog.tool_cards(v_live));
    end if;
    if v_withheld is not null then
        perform search.remove_cards('tool', v_withheld);
    end if;
end
$function$;
comment on function catalog.show_tools(bigint[]) is 'Argument: tools whose status or definition changed. Their cards are made, or removed.';
