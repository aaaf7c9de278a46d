create or replace function catalog.tool_definition(p_given jsonb)
returns jsonb
language sql
immutable strict parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_object(
        'name', p_given -> 'name',
        'title', p_given -> 'title',
        'description', p_given -> 'description',
        'input_schema', coalesce(nullif(p_given -> 'input_schema', 'null'), '{"type": "object"}'),
        'output_schema', nullif(p_given -> 'output_schema', 'null'),
        'annotations', coalesce(nullif(p_given -> 'annotations', 'null'), '{}'),
        'extra', coalesce(nullif(p_given -> 'extra', 'null'), '{}'),
        'categories', case
            when jsonb_typeof(p_given -> 'categories') = 'array' then p_given -> 'categories'
            else '[]'
        end,
        'examples', case when jsonb_typeof(p_given -> 'examples') = 'array' then p_given -> 'examples' else '[]' end
    );
$function$;
comment on function catalog.tool_definition(jsonb) is
'Adds missing members to the definition of a tool before the definition is stored. Argument p_given: JSON {name, '
'title, description, input_schema, output_schema, annotations, extra, categories, examples}. Returns the definition '
'with every member. A missing member gets the default of the protocol (MCP).';
