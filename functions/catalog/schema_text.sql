-- catalog.schema_text: each string is followed by a full stop, so that no scan rule matches across two strings.
create or replace function catalog.schema_text(p_value jsonb)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(string_agg(s.text, E'.\n'), '')
    from (
        select v.value #>> '{}' as text
        from jsonb_path_query(p_value, 'strict $.** ? (@.type() == "string")', silent => true) as v (value)
        union all
        select k.key #>> '{}'
        from jsonb_path_query(p_value, 'strict $.**.properties.keyvalue().key', silent => true) as k (key)
    ) as s
    where s.text not in ('string', 'object', 'array', 'number', 'integer', 'boolean', 'null');
$function$;
comment on function catalog.schema_text(jsonb) is
'Collects the strings and property names that a model reads in a JSON value, such as a JSON Schema. Argument p_value: '
'the JSON value. Returns one text, in which each string is a separate sentence. The names of JSON types, such as '
'"string", are omitted.';
