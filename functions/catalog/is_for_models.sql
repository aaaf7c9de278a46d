-- catalog.is_for_models: tools of an app (an MCP Apps user interface) may declare that only the app calls them. A model
-- can do nothing with them. What is malformed counts as not said.
create or replace function catalog.is_for_models(p_definition jsonb)
returns boolean
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case when jsonb_typeof(v.visibility) = 'array' then v.visibility ? 'model' else true end
    from (select p_definition #> '{extra,_meta,ui,visibility}') as v (visibility);
$function$;
comment on function catalog.is_for_models(jsonb) is
'Checks whether an item is meant for models. Argument p_definition: definition of the item. Returns false if the '
'definition says that only the user interface of its origin uses the item (_meta.ui.visibility without "model").';
grant execute on function catalog.is_for_models to qm_reader;
