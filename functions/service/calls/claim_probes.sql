-- service.claim_probes: a tool is tested if an operator has requested the test, or if its last test is older than the
-- setting probe.interval. Two processes never reserve the same tool, because a reservation counts as a test.
-- Writes: calls.probe_turn.
create or replace function service.claim_probes(maximum integer default 10)
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
    with due as materialized (
        select i.id
        from catalog.item as i
        inner join search.kind as k on k.name = i.kind and k.outcomes = 'called'
        left join calls.probe_turn as p on p.item_id = i.id
        where (
                p.probed_at = '-infinity'
                or v_interval > interval '0'
                    and 'read_only' = any(i.traits)
                    and coalesce(p.probed_at, '-infinity') < core.now() - v_interval
            )
            and catalog.can_probe(i.id)
        order by p.probed_at nulls last, i.id
        limit greatest(claim_probes.maximum, 1)
        for no key update of i skip locked
    ),

    claimed as (
        insert into calls.probe_turn as p (item_id, probed_at)
        select d.id, core.now()
        from due as d
        on conflict (item_id) do update set probed_at = excluded.probed_at
        returning p.item_id
    )

    select
        i.public_name,
        nullif(i.definition -> 'output_schema', 'null'),
        jsonb_path_query_array(catalog.probe_examples(i.id), '$[0 to 2]'),
        not i.definition -> 'annotations' @> '{"openWorldHint": false}'
    from claimed as c
    inner join catalog.item as i on i.id = c.item_id
    order by i.public_name;
end
$function$;
comment on function service.claim_probes(integer) is
'Reserves tools that the calling process must test. The process calls each tool with the examples from the tool''s '
'definition. Argument maximum: maximum number of tools to reserve. Returns for each tool: its callable name; the '
'result schema; the arguments of the first three examples; and whether the tool may need a network (if the tool''s '
'definition does not say this: the protocol''s default).';
grant execute on function service.claim_probes to qm_operator;
