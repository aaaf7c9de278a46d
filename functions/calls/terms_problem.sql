create or replace function calls.terms_problem(p_terms jsonb)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select format(
        '%s is %s, but must be %s', e.key, e.value, coalesce(k.must, 'omitted, because this member is unknown')
    )
    from jsonb_each(p_terms) as e
    left join (
        values
        ('timeout_s', 'number', 'a number of seconds from 0.1 to 3600', numrange(0.1, 3600, '[]')),
        ('arguments_bytes', 'number', 'a whole number from 1 to 100000000', numrange(1, 1e8, '[]')),
        ('arguments_depth', 'number', 'a whole number from 1 to 150', numrange(1, 150, '[]')),
        ('result_bytes', 'number', 'a whole number from 1 to 1000000000', numrange(1, 1e9, '[]')),
        ('page_characters', 'number', 'a whole number from 1000 to 10000000', numrange(1000, 1e7, '[]')),
        ('attempts', 'number', 'a whole number from 1 to 10', numrange(1, 10, '[]')),
        ('cache_s', 'number', 'a number of seconds from 1 to 604800', numrange(1, 604800, '[]')),
        ('is_read_only', 'boolean', 'true or false', null),
        ('is_idempotent', 'boolean', 'true or false', null),
        ('is_public', 'boolean', 'true or false', null),
        ('key_argument', 'string', 'the name of an argument', null),
        ('masked', 'array', 'a list of argument names', null)
    ) as k (name, type, must, range) on k.name = e.key
    where k.name is null
        or jsonb_typeof(e.value) <> k.type
        or case
            when k.range is not null and jsonb_typeof(e.value) = 'number'
                then not (e.value #>> '{}')::numeric <@ k.range
        end
        or case
            when k.name like '%bytes' or k.name in ('arguments_depth', 'page_characters', 'attempts')
                then jsonb_typeof(e.value) = 'number' and (e.value #>> '{}')::numeric % 1 <> 0
        end
        or case when k.name = 'masked' then jsonb_path_exists(e.value, '$[*] ? (@.type() != "string")') end
    order by e.key collate core.c_utf8
    limit 1;
$function$;
comment on function calls.terms_problem(jsonb) is
'Checks terms (limits and rules for the calls of a tool) that an operator wants to set. Argument p_terms: JSON object '
'with terms, in the form that api.set_terms takes. Returns a sentence about the first problem (null: the terms have no '
'problem).';
