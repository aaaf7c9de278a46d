create or replace function catalog.strings(p_value jsonb)
returns text[]
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case when jsonb_typeof(p_value) = 'array' then array(select jsonb_array_elements_text(p_value)) end;
$function$;
comment on function catalog.strings(jsonb) is
'Converts a JSON array of strings to an array of texts. Argument p_value: a JSON value. Returns the strings. Returns '
'null if the JSON value is not an array.';
