create or replace function catalog.repaired_arguments_problem(p_arguments jsonb)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case
        when jsonb_typeof(p_arguments) is distinct from 'object' then 'arguments must be a JSON object'
        else (
            select format(
                'the change of the argument %L must be {name, description, default, hidden}: a name of letters, digits '
                'and _ - . ; a text and a value of at most 5000 characters each; true',
                left(a.key, 100)
            )
            from jsonb_each(p_arguments) as a
            where jsonb_typeof(a.value) <> 'object'
                or a.value - '{name,description,default,hidden}'::text[] <> '{}'
                or a.value ? 'name' and (a.value ->> 'name' ~ '^[A-Za-z_][A-Za-z0-9_.-]{0,63}$') is not true
                or a.value ? 'description' and (
                    jsonb_typeof(a.value -> 'description') <> 'string' or length(a.value ->> 'description') > 5000
                )
                or length((a.value -> 'default')::text) > 5000
                or a.value ? 'hidden' and a.value -> 'hidden' <> 'true'
            order by a.key collate core.c_utf8
            limit 1
        )
    end;
$function$;
comment on function catalog.repaired_arguments_problem(jsonb) is
'Checks how a repair changes arguments. Argument p_arguments: JSON that maps the names of arguments to their changes. '
'Returns a sentence about the first mistake (null: there is none).';
