create or replace function catalog.flatten(p_value jsonb)
returns table (path text, value jsonb)
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    with recursive node (path, value) as (
        select array[]::text[], p_value
        union all
        select n.path || m.name, m.value
        from node as n
        cross join lateral (
            select o.key as name, o.value
            from jsonb_each(case when jsonb_typeof(n.value) = 'object' then n.value else '{}' end) as o
            union all
            select (a.position - 1)::text, a.value
            from jsonb_array_elements(
                case when jsonb_typeof(n.value) = 'array' then n.value else '[]' end
            ) with ordinality as a (value, position)
        ) as m
    )

    select array_to_string(n.path, '/'), n.value
    from node as n
    where jsonb_typeof(n.value) not in ('object', 'array') or n.value in ('{}', '[]');
$function$;
comment on function catalog.flatten(jsonb) is
'Splits a JSON value into its scalars and its empty objects and arrays. Argument p_value: the JSON value. Returns each '
'part with the path of the part. A path consists of the names of members and the positions in arrays (from 0), joined '
'with slashes.';
grant execute on function catalog.flatten to qm_reader;
