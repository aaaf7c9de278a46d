-- catalog.repair_definition: everything that reads a definition gets the repaired one: cards, clients, the scan, the
-- versions, snapshots. Only repairs add the members phrases and pinned. The member repair holds what only Quartermaster
-- needs: the definition as it was listed, and how arguments are passed on. A definition in which nothing changes has no
-- such member.
create or replace function catalog.repair_definition(p_listed jsonb, p_of_origin jsonb, p_of_tool jsonb)
returns jsonb
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case
        when d.definition = p_listed and s.values = '{}' and s.aside = '[]' then p_listed
        else d.definition || jsonb_build_object(
            'repair', jsonb_build_object(
                'listed', p_listed, 'names', s.names, 'values', s.values, 'hidden', s.hidden, 'aside', s.aside
            )
        )
    end
    from (
        select coalesce(jsonb_object_agg(a.name, a.change), '{}') as arguments
        from (
            select x.name, coalesce(x.of_origin, '{}') || coalesce(x.of_tool, '{}')
            from (
                select coalesce(o.key, t.key), o.value, t.value
                from jsonb_each(p_of_origin -> 'arguments') as o
                full join jsonb_each(p_of_tool -> 'arguments') as t on t.key = o.key
            ) as x (name, of_origin, of_tool)
        ) as a (name, change)
    ) as g
    cross join lateral jsonb_to_record(
        catalog.repair_schema(
            p_listed -> 'input_schema',
            g.arguments,
            array(select k.key from jsonb_object_keys(coalesce(p_of_tool -> 'arguments', '{}')) as k (key))
        )
    ) as s (schema jsonb, names jsonb, values jsonb, hidden jsonb, aside jsonb)
    cross join lateral (
        select
            p_listed
            || case
                when p_listed ? 'examples'
                    then jsonb_build_object(
                        'examples', catalog.repair_examples(p_listed -> 'examples', s.names, s.hidden)
                    )
                else '{}'
            end
            || case
                when p_listed #> '{extra,examples}' is not null
                    then jsonb_build_object(
                        'extra', p_listed -> 'extra' || jsonb_build_object(
                            'examples', catalog.repair_examples(p_listed #> '{extra,examples}', s.names, s.hidden)
                        )
                    )
                else '{}'
            end
            || case
                when p_of_tool ? 'title' and p_listed #> '{annotations,title}' is not null
                    then jsonb_build_object(
                        'annotations', p_listed -> 'annotations' || jsonb_build_object('title', p_of_tool -> 'title')
                    )
                else '{}'
            end
            || jsonb_build_object(
                'input_schema', s.schema || case
                    when s.schema ? 'examples'
                        then jsonb_build_object(
                            'examples', catalog.repair_examples(s.schema -> 'examples', s.names, s.hidden)
                        )
                    else '{}'
                end
            )
            || coalesce(p_of_origin - 'arguments', '{}')
            || coalesce(p_of_tool - 'arguments', '{}') as definition
    ) as d;
$function$;
comment on function catalog.repair_definition(jsonb, jsonb, jsonb) is
'Applies repairs to the definition of a tool. Arguments: p_listed: the definition as the origin lists it; p_of_origin: '
'changes for all tools of the origin; p_of_tool: changes for this tool, which come first (both as in '
'catalog.repair.changes; null: none). Returns the definition with the changes. If there are any, the definition has '
'the additional member repair: {listed: the definition as the origin lists it; names, values, hidden, aside: as in '
'catalog.repair_schema}.';
