-- api.store_probe: stores what a call with a tool's own example showed. It marks the call as a probe, so that it does
-- not count as an outcome.
-- Definer because only their own functions may write the catalog and the call log; executable by operators.
-- Raises: QM404 call_not_found.  Writes: calls.probe, catalog.item, its card.
create or replace function api.store_probe(
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
        c.id, c.ref, c.version, store_probe.example, store_probe.is_honest, left(store_probe.problem, 2000), store_probe.sandbox,
        core.now()
    from calls.call as c
    where c.id = store_probe.call_id and c.principal_id = v_principal_id
    returning item_id into v_item_id;
    if v_item_id is null then
        perform core.fail('call_not_found', format('you have no call %s', store_probe.call_id));
    end if;
    v_dishonesty := calls.judge_probes(v_item_id);
    update catalog.item as i set dishonesty = v_dishonesty where i.id = v_item_id and i.dishonesty <> v_dishonesty;
    if found then
        perform catalog.downrank_card(v_item_id);
    end if;
    return v_dishonesty;
end
$function$;
comment on function api.store_probe(bigint, integer, boolean, text, text) is
'Arguments: the call; position of the example (from 0); whether the tool kept its promises, null if unknown; which '
'promise it broke; the sandbox of the run (bwrap, limits, none). Returns how much its probes subtract from its value '
'from now on.';
grant execute on function api.store_probe to qm_operator;
