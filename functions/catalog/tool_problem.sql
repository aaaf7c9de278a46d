create or replace function catalog.tool_problem(p_definition jsonb)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case
        when length(p_definition ->> 'name') > 512 then 'the name is longer than 512 characters'
        when jsonb_typeof(p_definition -> 'description') not in ('string', 'null') then 'the description is not text'
        when jsonb_typeof(p_definition -> 'title') not in ('string', 'null') then 'the title is not text'
        when jsonb_typeof(p_definition -> 'input_schema') <> 'object' then 'the input schema is not a JSON object'
        when jsonb_typeof(p_definition -> 'output_schema') not in ('object', 'null')
            then 'the output schema is not a JSON object'
        when jsonb_typeof(p_definition -> 'annotations') <> 'object' then 'the annotations are not a JSON object'
    end;
$function$;
comment on function catalog.tool_problem(jsonb) is
'Checks whether a definition can be stored as the definition of a tool. Argument p_definition: the definition (see '
'catalog.tool_definition). Returns the reason why the definition cannot be stored. Returns null if the definition can '
'be stored.';
