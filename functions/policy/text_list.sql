create or replace function policy.text_list(p_value jsonb)
returns text[]
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case jsonb_typeof(p_value)
        when 'string' then array[p_value #>> '{}']
        when 'array' then array(select jsonb_array_elements_text(p_value))
    end;
$function$;
comment on function policy.text_list(jsonb) is
'Reads a member of a JSON object, such as a rule or the labels of an item. The member is a text or a list of texts. '
'Argument p_value: the member as JSON. Returns the texts as an array. Returns null if the member is missing or has '
'another type.';
