create or replace function catalog.default_problem(p_argument text, p_schema jsonb, p_value jsonb)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case
        when jsonb_typeof(p_schema -> 'enum') = 'array' and not p_schema -> 'enum' @> jsonb_build_array(p_value)
            then format('the default of %L is not one of the values that the argument may have', p_argument)
        when t.types is not null
            and not (
                jsonb_typeof(p_value) = any(t.types)
                or 'integer' = any(t.types) and jsonb_typeof(p_value) = 'number' and p_value @? '$ ? (@ == @.floor())'
            )
            then format('the default of %L is not of the type %s', p_argument, array_to_string(t.types, ' or '))
                || case
                    when 'string' = any(t.types) and jsonb_typeof(p_value) in ('number', 'boolean')
                        then format('; as a text, it is written %s, with the quotes', to_jsonb(p_value::text))
                    else ''
                end
    end
    from policy.text_list(p_schema -> 'type') as t (types)
    where p_value is not null;
$function$;
comment on function catalog.default_problem(text, jsonb, jsonb) is
'Checks whether a value can be the default of an argument. Arguments: p_argument: name of the argument; p_schema: '
'schema of the argument; p_value: the value (null: no default). Compares the value with the type and the enum of the '
'schema; calls check the rest. Returns a sentence about what is wrong (null: nothing).';
