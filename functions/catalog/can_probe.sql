-- catalog.can_probe: may this tool be run on its own examples, unasked?
-- Only what says that it reads only, and does not say that it destroys or that twice is not once.
create or replace function catalog.can_probe(p_item_id bigint)
returns boolean
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(
        (
            select
                i.is_live
                and o.transport <> 'none'
                and o.status = 'ready'
                and i.definition -> 'annotations' @> '{"readOnlyHint": true}'
                and not i.definition -> 'annotations' @> '{"destructiveHint": true}'
                and not i.definition -> 'annotations' @> '{"idempotentHint": false}'
                and catalog.probe_examples(i.id) <> '[]'
            from catalog.item as i
            inner join catalog.origin as o on o.id = i.origin_id
            where i.id = p_item_id
        ), false
    );
$function$;
comment on function catalog.can_probe(bigint) is 'Argument: tool. Live, connected, side-effect-free by its own word, and with examples.';
