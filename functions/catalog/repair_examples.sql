-- catalog.repair_examples: an example is either the arguments themselves, or an object with the arguments in its member
-- arguments or input (catalog.probe_examples).
create or replace function catalog.repair_examples(p_examples jsonb, p_names jsonb, p_hidden jsonb)
returns jsonb
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case
        when jsonb_typeof(p_examples) <> 'array' or p_names = '{}' and p_hidden = '[]' then p_examples
        else (
            select coalesce(
                jsonb_agg(
                    case
                        when jsonb_typeof(e.example) <> 'object' then e.example
                        when w.member is null then r.arguments
                        else e.example || jsonb_build_object(w.member, r.arguments)
                    end order by e.position
                ),
                '[]'
            )
            from jsonb_array_elements(p_examples) with ordinality as e (example, position)
            cross join lateral (
                select case
                    when jsonb_typeof(e.example -> 'arguments') = 'object' then 'arguments'
                    when jsonb_typeof(e.example -> 'input') = 'object' then 'input'
                end as member
            ) as w
            cross join lateral (
                select coalesce(jsonb_object_agg(coalesce(n.key, a.key), a.value), '{}') as arguments
                from jsonb_each(
                    case
                        when w.member is not null then e.example -> w.member
                        when jsonb_typeof(e.example) = 'object' then e.example
                        else '{}'
                    end
                ) as a
                left join jsonb_each_text(p_names) as n on n.value = a.key
                where not p_hidden ? a.key
            ) as r
        )
    end;
$function$;
comment on function catalog.repair_examples(jsonb, jsonb, jsonb) is
'Renames and removes arguments in the examples of a tool. Arguments: p_examples: JSON array of examples, as the origin '
'lists them; p_names: JSON that maps new names to the names at the origin; p_hidden: JSON array of hidden arguments. '
'Returns the examples as clients would write them.';
