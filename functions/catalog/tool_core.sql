-- catalog.tool_core: icons and most members of _meta (in extra) may change at any time. The exceptions are members of
-- _meta that steer a client, such as anthropic/alwaysLoad, ui or openai/outputTemplate: they decide what a person or a
-- model sees.
create or replace function catalog.tool_core(p_definition jsonb)
returns jsonb
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select (p_definition - '{categories,examples,extra}'::text[]) || coalesce(
        (
            select jsonb_build_object('steering', jsonb_object_agg(m.key, m.value))
            from jsonb_each(
                case
                    when jsonb_typeof(p_definition #> '{extra,_meta}') = 'object' then p_definition #> '{extra,_meta}'
                    else '{}'
                end
            ) as m
            where m.key ~ '(^|[./])(anthropic|openai|ui)(/|$)'
            having count(*) > 0
        ),
        '{}'
    );
$function$;
comment on function catalog.tool_core(jsonb) is
'Returns the part of a tool''s definition in which every change needs approval. Argument p_definition: definition of '
'the tool. The result is the definition without categories, examples and extra, and with the members of _meta that '
'steer a client (names of anthropic, openai and ui).';
