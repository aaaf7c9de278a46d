-- policy.text_list: a member of a rule that is a text or a list of texts, as a list.
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
comment on function policy.text_list(jsonb) is 'Null for anything else, and for what is not there.';
