-- api.claim_probes: tools whose turn it is to be run on their own examples: asked for, or not probed for the setting probe.interval.
-- Two processes never take the same: claiming counts as the try.
-- Definer because the catalog is written by its own functions only; executable by operators.
-- Writes: catalog.tool.
create or replace function api.claim_probes(maximum integer default 10)
returns table (name text, output_schema jsonb, examples jsonb, is_open_world boolean)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_interval constant interval := (core.get_setting('probe.interval') #>> '{}')::interval;
begin
    perform policy.require_principal();
    return query
    with claimed as (
        update catalog.tool as t
        set probed_at = core.now()
        where t.id in (
            select w.id
            from catalog.tool as w
            where (
                w.probed_at = '-infinity'
                or v_interval > interval '0'
                and w.annotations @> '{"readOnlyHint": true}'
                and coalesce(w.probed_at, '-infinity') < core.now() - v_interval
            )
            and catalog.can_probe(w.id)
            order by w.probed_at nulls last, w.id
            limit greatest(claim_probes.maximum, 1)
            for no key update of w skip locked
        )
        returning t.id, t.callable_name, t.output_schema, t.annotations
    )

    select
        c.callable_name, c.output_schema, jsonb_path_query_array(catalog.probe_examples(c.id), '$[0 to 2]'),
        not c.annotations @> '{"openWorldHint": false}'
    from claimed as c
    order by c.callable_name;
end
$function$;
comment on function api.claim_probes(integer) is
'Argument: how many at most. Returns callable name, schema of the results, the arguments of the first three examples, and whether it may need a network (what it does not say counts as the protocol says).';
grant execute on function api.claim_probes to qm_operator;
