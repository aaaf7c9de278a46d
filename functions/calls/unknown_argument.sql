-- calls.unknown_argument: a name in the terms that is not an argument of the tool is a mistake, such as a typing error.
-- A mistyped name would mask nothing in the logs.
create or replace function calls.unknown_argument(p_terms jsonb, p_schema jsonb)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    with known as (
        select distinct a.name
        from jsonb_path_query(p_schema, 'lax $.**.properties ? (@.type() == "object")') as p (listed)
        cross join jsonb_object_keys(p.listed) as a (name)
    )

    select format(
        'the tool has no argument %L. Its arguments are: %s',
        n.name,
        (select left(string_agg(k.name, ', ' order by k.name collate core.c_utf8), 500) from known as k)
    )
    from jsonb_array_elements_text(
        coalesce(p_terms -> 'masked', '[]') || coalesce(p_terms -> 'key_argument', '[]')
    ) as n (name)
    where exists (select from known) and n.name not in (select k.name from known as k)
    order by n.name collate core.c_utf8
    limit 1;
$function$;
comment on function calls.unknown_argument(jsonb, jsonb) is
'Checks the names of arguments in two members, masked and key_argument, of terms that an operator wants to set. '
'Arguments: p_terms: the terms, in which calls.terms_problem found no problem; p_schema: JSON schema of the arguments '
'of the tool, in which the names may stand at any depth. Returns a sentence about the first name that is not in the '
'schema (null: all names are in the schema, or the schema contains no names).';
