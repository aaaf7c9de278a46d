create or replace function catalog.tool_labels(p_definition jsonb)
returns jsonb
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_object(
        'categories', p_definition -> 'categories', 'traits', catalog.traits(p_definition -> 'annotations')
    );
$function$;
comment on function catalog.tool_labels(jsonb) is
'Finds the categories and traits of a tool, by which rules can select the tool. Argument p_definition: definition of '
'the tool. Returns JSON {categories, traits}: two arrays of texts.';
