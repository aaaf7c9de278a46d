-- catalog.tool_core: returns the part of a tool's definition whose change needs approval.
-- Icons and _meta (in extra) may change at any time, and no model reads them.
create or replace function catalog.tool_core(p_definition jsonb)
returns jsonb
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select p_definition - '{categories,examples,extra}'::text[];
$function$;
comment on function catalog.tool_core(jsonb) is
'Returns the part of a tool''s definition in which every change needs approval. Argument p_definition: definition of '
'the tool. The result is the definition without categories, examples and extra.';
