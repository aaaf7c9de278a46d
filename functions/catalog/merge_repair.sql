-- catalog.merge_repair: people name an argument as they see it, which may be the new name that a repair has given.
create or replace function catalog.merge_repair(p_changes jsonb, p_more jsonb)
returns jsonb
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select (
        select coalesce(jsonb_object_agg(m.key, m.value), '{}')
        from jsonb_each((p_changes - 'arguments') || (p_more - 'arguments')) as m
        where m.value <> 'null'
    ) || case when a.arguments is null then '{}' else jsonb_build_object('arguments', a.arguments) end
    from (
        select jsonb_object_agg(x.name, x.change) as arguments
        from (
            select
                g.name,
                (
                    select coalesce(jsonb_object_agg(m.key, m.value), '{}')
                    from jsonb_each(coalesce(g.was, '{}') || coalesce(g.more, '{}')) as m
                    where m.value <> 'null'
                ) as change
            from (
                select coalesce(o.key, n.name), o.value, n.value
                from jsonb_each(
                    case when p_more -> 'arguments' = 'null' then '{}' else p_changes -> 'arguments' end
                ) as o
                full join (
                    select
                        coalesce(
                            (
                                select r.key
                                from jsonb_each(p_changes -> 'arguments') as r
                                where r.value ->> 'name' = k.key
                            ),
                            k.key
                        ) as name,
                        k.value
                    from jsonb_each(nullif(p_more -> 'arguments', 'null')) as k
                ) as n on n.name = o.key
            ) as g (name, was, more)
            where g.more is distinct from 'null'
        ) as x
        where x.change <> '{}'
    ) as a;
$function$;
comment on function catalog.merge_repair(jsonb, jsonb) is
'Adds changes to those of a repair. Arguments: p_changes: the present changes; p_more: the changes to add, in which '
'null removes a change. Both are as in catalog.repair.changes. Returns all changes together.';
