-- catalog.tool_core: icons and most members of _meta may change without approval. Both are stored in the member extra.
-- Some members of _meta steer a client, such as anthropic/alwaysLoad, ui or openai/outputTemplate. Their changes need
-- approval, because they decide what a person or a model sees.
create or replace function catalog.tool_core(p_definition jsonb)
returns jsonb
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select (p_definition - '{categories,examples,extra,brief,phrases,pinned,repair}'::text[]) || coalesce(
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
'the tool. Returns the definition without categories, examples, extra, and what only repairs add, but with a member '
'steering. This member contains the members of _meta that steer a client (names with the prefix anthropic, openai or '
'ui).';
