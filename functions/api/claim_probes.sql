-- api.claim_probes: side-effect-free tools whose turn it is to be run on their own examples; or the one named.
-- Only what says that it reads only, and does not say that it destroys or that twice is not once, is ever run unasked.
-- Two processes never take the same: claiming counts as the try.
-- Definer because the catalog is written by its own functions only; executable by operators.
-- Raises: QM404 tool_not_found, QM409 tool_not_probeable.  Writes: catalog.tool.
create or replace function api.claim_probes(name text default null, maximum integer default 10)
returns table (tool text, output_schema jsonb, examples jsonb)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_interval constant interval := (core.get_setting('probe.interval') #>> '{}')::interval;
    v_tool_id bigint;
begin
    perform policy.require_principal();
    if claim_probes.name is not null then
        v_tool_id := catalog.tool_id(claim_probes.name);
    elsif v_interval <= interval '0' then
        return;
    end if;
    return query
    with claimed as (
        update catalog.tool as t
        set probed_at = core.now()
        where t.id in (
            select w.id
            from catalog.tool as w
            inner join catalog.origin as o on o.id = w.origin_id
            where w.is_live
                and o.transport <> 'none'
                and o.status = 'ready'
                and w.annotations @> '{"readOnlyHint": true}'
                and not w.annotations @> '{"destructiveHint": true}'
                and not w.annotations @> '{"idempotentHint": false}'
                and catalog.probe_examples(w.id) <> '[]'
                and case when v_tool_id is null then coalesce(w.probed_at, '-infinity') < core.now() - v_interval else w.id = v_tool_id end
            order by w.probed_at nulls first, w.id
            limit greatest(claim_probes.maximum, 1)
            for no key update of w skip locked
        )
        returning t.id, t.callable_name, t.output_schema
    )

    select c.callable_name, c.output_schema, catalog.probe_examples(c.id)
    from claimed as c
    order by c.callable_name;
    if not found and v_tool_id is not null then
        perform core.fail('tool_not_probeable', format('the tool %L cannot be probed', claim_probes.name));
    end if;
end
$function$;
comment on function api.claim_probes(text, integer) is
'Arguments: callable name (default: those whose turn it is, after the setting probe.interval); how many at most. Returns the callable name, the schema of its results and the arguments of its examples.';
