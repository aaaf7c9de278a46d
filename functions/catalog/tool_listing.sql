create or replace function catalog.tool_listing(p_definition jsonb)
returns jsonb
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select (p_definition - '{categories,examples,pinned}'::text[]) #- '{repair,listed}';
$function$;
comment on function catalog.tool_listing(jsonb) is
'Returns the part of a tool''s definition whose change makes a new version. Argument p_definition: definition of the '
'tool. The result is the definition without categories and examples, which come from a tools file, without a pin, '
'and without the form in which the origin lists a repaired tool.';
grant execute on function catalog.tool_listing to qm_reader;
