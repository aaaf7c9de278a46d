-- catalog.repair_definitions: a new name is left out if another tool has it. Rules, toolsets and snapshots keep naming
-- a renamed tool as before (listed_as), so that a new name neither gives nor takes rights. An origin cannot send the
-- members pinned and repair itself.
create or replace function catalog.repair_definitions(p_kind text, p_origins text[], p_definitions jsonb[])
returns jsonb[]
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_definitions constant jsonb[] := array(
        select d.definition - '{pinned,repair}'::text[]
        from unnest(p_definitions) with ordinality as d (definition, position)
        order by d.position
    );
begin
    if p_kind <> 'tool' or not exists (select from catalog.repair as r where r.is_current and r.changes <> '{}') then
        return v_definitions;
    end if;
    return array(
        select case
            when w.changes is null and t.changes is null then g.definition
            when d.definition ? 'repair'
                then d.definition || jsonb_build_object(
                    'repair', d.definition -> 'repair'
                    || case
                        when n.is_taken
                            then jsonb_build_object(
                                'aside', d.definition #> '{repair,aside}' || to_jsonb(
                                    format('another tool is called %L', n.renamed_to)
                                )
                            )
                        when n.renamed_to is not null
                            then jsonb_build_object(
                                'renamed_to', n.renamed_to,
                                'listed_as', coalesce(
                                    b.definition #>> '{repair,listed_as}',
                                    b.public_name,
                                    catalog.callable_name(o.slug, o.name, g.definition ->> 'name')
                                )
                            )
                        else '{}'
                    end
                )
            when n.is_taken
                then d.definition || jsonb_build_object(
                    'repair', jsonb_build_object(
                        'listed', g.definition,
                        'names', '{}'::jsonb,
                        'values', '{}'::jsonb,
                        'hidden', '[]'::jsonb,
                        'aside', array[format('another tool is called %L', n.renamed_to)]
                    )
                )
            else d.definition
        end
        from unnest(p_origins, v_definitions) with ordinality as g (origin, definition, position)
        left join catalog.origin as o on o.name = g.origin
        left join catalog.repair as w
            on w.origin_id = o.id and w.tool is null and w.is_current and w.changes <> '{}'
        left join catalog.repair as t
            on t.origin_id = o.id and t.tool = g.definition ->> 'name' and t.is_current and t.changes <> '{}'
        left join catalog.item as b
            on t.changes ? 'name' and b.origin_id = o.id and b.kind = p_kind and b.name = t.tool
        cross join lateral (
            select
                c.renamed_to,
                case
                    when c.renamed_to is null then false
                    else t.changes ->> 'name' = any(
                        select x.definition ->> 'name'
                        from unnest(p_origins, v_definitions) as x (origin, definition)
                        where x.origin = g.origin and x.definition ->> 'name' <> t.tool
                    ) or exists (
                        select from catalog.item as x
                        where x.kind = p_kind
                            and x.public_name = c.renamed_to
                            and (x.origin_id, x.name) <> (o.id, t.tool)
                    )
                end as is_taken
            from catalog.callable_name(o.slug, o.name, t.changes ->> 'name') as c (renamed_to)
        ) as n
        cross join lateral (
            select catalog.repair_definition(
                g.definition, w.changes, case when n.is_taken then t.changes - 'name' else t.changes end
            ) as definition
        ) as d
        order by g.position
    );
end
$function$;
comment on function catalog.repair_definitions(text, text[], jsonb[]) is
'Applies the current repairs to definitions. Arguments: p_kind: kind of card (only tools have repairs); p_origins: for '
'each definition, the name of its origin; p_definitions: the definitions as the origins list them. Returns the '
'definitions in the same order, as catalog.repair_definition does. The member repair of a renamed tool also contains '
'renamed_to, its public name, and listed_as, the public name that it would have without the repair.';
