-- catalog.tool_listing: returns the part of a tool's definition that its origin lists and that makes a version.
-- Categories and examples come from a tools file, beside the definition.
create or replace function catalog.tool_listing(p_definition jsonb)
returns jsonb
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select p_definition - '{categories,examples}'::text[];
$function$;
comment on function catalog.tool_listing(jsonb) is 'Argument: definition of a tool. Returns it without categories and examples.';
grant execute on function catalog.tool_listing to qm_operator;
