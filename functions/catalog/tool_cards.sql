-- catalog.tool_cards: tools as capability cards, in the form that search.put_cards takes.
create or replace function catalog.tool_cards(p_tool_ids bigint[])
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(
        jsonb_agg(
            catalog.card(t.id, t.callable_name, o.name, o.description, t.name, t.title, t.description, t.input_schema)
            || jsonb_build_object(
                'categories', t.categories,
                'traits', catalog.traits(t.annotations),
                'tokens', t.tokens,
                'risk', t.risk,
                'downrank', greatest(t.downrank, t.dishonesty)
            ) order by t.id
        ), '[]'
    )
    from catalog.tool as t
    inner join catalog.origin as o on o.id = t.origin_id
    where t.id = any(p_tool_ids);
$function$;
comment on function catalog.tool_cards(bigint[]) is 'JSON array of cards, see catalog.card; ref is the tool.';
