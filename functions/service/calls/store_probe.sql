-- service.store_probe: the call is marked as a probe, so that statistics do not count it.
-- Writes: calls.probe, catalog.item, its card.
create or replace function service.store_probe(
    call_id bigint, example integer, is_honest boolean, problem text default '', sandbox text default 'none'
)
returns real
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
    v_item_id bigint;
    v_dishonesty real;
begin
    insert into calls.probe (call_id, item_id, version, example, is_honest, problem, sandbox, probed_at)
    select
        c.id,
        c.ref,
        c.version,
        store_probe.example,
        store_probe.is_honest,
        left(store_probe.problem, 2000),
        store_probe.sandbox,
        core.now()
    from calls.call as c
    where c.id = store_probe.call_id and c.principal_id = v_principal_id
    returning item_id into v_item_id;
    if v_item_id is null then
        perform core.fail('call_not_found', format('none of your calls has the id %s', store_probe.call_id));
    end if;
    v_dishonesty := calls.judge_probes(v_item_id);
    update catalog.item as i set dishonesty = v_dishonesty where i.id = v_item_id and i.dishonesty <> v_dishonesty;
    if found then
        perform catalog.downrank_card(v_item_id);
    end if;
    return v_dishonesty;
end
$function$;
comment on function service.store_probe(bigint, integer, boolean, text, text) is
'Stores the result of a test call (probe) of a tool with an example from the tool''s definition. Arguments: call_id: '
'id of the call; example: position of the example in the definition (from 0); is_honest: true if the tool behaved as '
'its definition says (null: unknown); problem: what the tool did instead; sandbox: sandbox in which the tool ran '
'(bwrap, limits or none). Returns the amount by which the results of the tool''s newest probes lower the utility of '
'the tool (the value by which tools are ranked). Raises QM404 call_not_found. Can be null: is_honest.';
grant execute on function service.store_probe to qm_operator;
