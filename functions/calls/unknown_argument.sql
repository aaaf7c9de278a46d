-- calls.unknown_argument: finds a name in terms that is no argument of the tool, such as a mistyped name: hiding it in
-- logs would hide nothing.
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
'Checks the names of arguments in terms that an operator wants to set (masked and key_argument). Arguments: p_terms: '
'terms without mistakes (calls.terms_problem); p_schema: JSON schema of the arguments of the tool, in which the names '
'may stand at any depth. Returns a sentence about the first name that the schema does not list (null: it lists all of '
'them, or none at all).';
