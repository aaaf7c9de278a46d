-- catalog.classify_tools: the rights class of tools, and of their cards: after a tool has changed, or the rules.
-- Only rows whose class is another one are written.  Writes: catalog.tool, cards, policy.rights_class.
create or replace function catalog.classify_tools(p_tool_ids bigint[] default null)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_items policy.item[];
    v_refs bigint[];
    v_classes integer[];
begin
    select array_agg((t.id, 'tool', o.name, t.callable_name, t.categories, catalog.traits(t.annotations))::policy.item)
    into v_items
    from catalog.tool as t
    inner join catalog.origin as o on o.id = t.origin_id
    where p_tool_ids is null or t.id = any(p_tool_ids);
    select array_agg(c.ref), array_agg(c.rights_class) into v_refs, v_classes from policy.classify(v_items) as c;

    update catalog.tool as t
    set rights_class = c.rights_class
    from unnest(v_refs, v_classes) as c (id, rights_class)
    where t.id = c.id and t.rights_class is distinct from c.rights_class;
    perform search.set_rights('tool', v_refs, v_classes);
end
$function$;
comment on function catalog.classify_tools(bigint[]) is 'Argument: tools, null for all of them.';
