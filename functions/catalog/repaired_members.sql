-- catalog.repaired_members: of the member repair, people need to know only what no other member shows: the values that
-- are sent for arguments.
create or replace function catalog.repaired_members(p_before jsonb)
returns table (public_name text, rights_class integer, path text, before text, after text)
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select i.public_name, i.rights_class, x.path, x.before #>> '{}', x.after #>> '{}'
    from jsonb_each(p_before) as b
    inner join catalog.item as i on i.id = b.key::bigint
    cross join lateral (
        select path, o.value as before, n.value as after
        from (
            select f.path, f.value
            from catalog.flatten(b.value - 'repair' || jsonb_build_object('sends', b.value #> '{repair,values}')) as f
            where f.value not in ('null', '[]', '{}')
        ) as o
        full join (
            select f.path, f.value
            from catalog.flatten(
                i.definition - 'repair' || jsonb_build_object('sends', i.definition #> '{repair,values}')
            ) as f
            where f.value not in ('null', '[]', '{}')
        ) as n using (path)
    ) as x
    where x.before is distinct from x.after;
$function$;
comment on function catalog.repaired_members(jsonb) is
'Compares earlier definitions of tools with the present ones, down to the leaves. Argument p_before: JSON that maps '
'ids of tools to their earlier definitions. Returns for each difference: the public name and the rights class of the '
'tool, the path of the member, and its value before and after (null: there is none). The path sends/ARGUMENT '
'stands for the value that is sent if a caller omits the argument.';
