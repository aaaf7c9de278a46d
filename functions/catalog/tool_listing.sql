create or replace function catalog.tool_listing(p_definition jsonb)
returns jsonb
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select (p_definition - '{categories,examples,pinned,repair}'::text[])
        || case
            when r.repair <> '{"names": {}, "values": {}, "hidden": []}' then jsonb_build_object('repair', r.repair)
            else '{}'
        end
    from (select (p_definition -> 'repair') - '{listed,aside}'::text[] as repair) as r;
$function$;
comment on function catalog.tool_listing(jsonb) is
'Returns the part of a tool''s definition whose change makes a new version. Argument p_definition: definition of the '
'tool. The result is the definition without categories and examples, which come from a tools file, and without a pin. '
'Of the member repair, it has only how arguments are passed on, and a new name.';
grant execute on function catalog.tool_listing to qm_reader;
