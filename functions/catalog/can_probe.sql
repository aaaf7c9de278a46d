-- catalog.can_probe: the tool must declare itself read-only, and must not declare itself destructive or non-idempotent.
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
                and o.transport not in ('none', 'built-in')
                and o.status = 'ready'
                and catalog.careful_hints(i.definition -> 'annotations') @> '{"readOnlyHint": true}'
                and not i.definition -> 'annotations' @> '{"idempotentHint": false}'
                and catalog.probe_examples(i.id) <> '[]'
            from catalog.item as i
            inner join catalog.origin as o on o.id = i.origin_id
            where i.id = p_item_id
        ),
        false
    );
$function$;
comment on function catalog.can_probe(bigint) is
'Checks whether the service may test a tool although no operator has requested a test. The test calls the tool with '
'the examples from the tool''s definition. Argument p_item_id: id of the tool. Returns true if the tool is offered '
'now, has a connected origin, declares itself read-only, and has examples.';
