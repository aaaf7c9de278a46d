create or replace function catalog.definition_texts(p_definition jsonb)
returns table (member text, text text)
language sql
immutable parallel safe security invoker
rows 10
set search_path = pg_catalog, pg_temp
as $function$
    select f.path, f.value #>> '{}'
    from catalog.flatten(p_definition) as f
    where jsonb_typeof(f.value) = 'string';
$function$;
comment on function catalog.definition_texts(jsonb) is
'Finds the texts in a definition that are scanned for attacks. This function is for kinds of card that have no '
'texts_function. Argument p_definition: the definition. Returns the path and text of each string in the definition.';
