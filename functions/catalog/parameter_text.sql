create or replace function catalog.parameter_text(p_schema jsonb)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select left(
        coalesce(
            string_agg(
                p.pair ->> 'key' || coalesce(' ' || (p.pair -> 'value' ->> 'description'), ''), '. ' order by p.position
            ),
            ''
        ),
        8000
    )
    from jsonb_path_query(
        p_schema, 'strict $.**.properties.keyvalue()', silent => true
    ) with ordinality as p (pair, position);
$function$;
comment on function catalog.parameter_text(jsonb) is
'Makes the text in which searches find words about the parameters of a tool. Argument p_schema: JSON Schema of the '
'arguments. Returns the names and descriptions of all properties, at most 8,000 characters.';
