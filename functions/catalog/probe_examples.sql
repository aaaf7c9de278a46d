-- catalog.probe_examples: an example is either the arguments themselves, or an object that contains the arguments in
-- its member arguments or input.
create or replace function catalog.probe_examples(p_item_id bigint)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(
        jsonb_agg(
            coalesce(a.arguments, e.example) order by e.position
        ) filter (where jsonb_typeof(e.example) = 'object'),
        '[]'
    )
    from catalog.item as i
    cross join lateral jsonb_to_record(i.definition) as d (examples jsonb, extra jsonb, input_schema jsonb)
    cross join lateral (
        select coalesce(
            nullif(d.examples, '[]'),
            nullif(d.extra -> 'examples', '[]'),
            nullif(d.input_schema -> 'examples', '[]'),
            '[]'
        ) as list
    ) as g
    cross join lateral jsonb_array_elements(
        case when jsonb_typeof(g.list) = 'array' then g.list else '[]' end
    ) with ordinality as e (example, position)
    cross join lateral (
        select case
            when jsonb_typeof(e.example -> 'arguments') = 'object' then e.example -> 'arguments'
            when jsonb_typeof(e.example -> 'input') = 'object' and not d.input_schema @? '$.properties.input'
                then e.example -> 'input'
        end as arguments
    ) as a
    where i.id = p_item_id;
$function$;
comment on function catalog.probe_examples(bigint) is
'Finds examples of arguments for a tool, in the examples of the tool''s definition or in the tool''s input schema. '
'Argument p_item_id: id of the tool. Returns a JSON array of argument objects, which may be empty.';
