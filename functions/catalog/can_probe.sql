-- catalog.can_probe: may this tool be run on its own examples, unasked?
-- Only what says that it reads only, and does not say that it destroys or that twice is not once.
create or replace function catalog.can_probe(p_tool_id bigint)
returns boolean
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(
        (
            select
                t.is_live
                and o.transport <> 'none'
                and o.status = 'ready'
                and t.annotations @> '{"readOnlyHint": true}'
                and not t.annotations @> '{"destructiveHint": true}'
                and not t.annotations @> '{"idempotentHint": false}'
                and catalog.probe_examples(t.id) <> '[]'
            from catalog.tool as t
            inner join catalog.origin as o on o.id = t.origin_id
            where t.id = p_tool_id
        ), false
    );
$function$;
comment on function catalog.can_probe(bigint) is 'Argument: tool. Live, connected, side-effect-free by its own word, and with examples.';
