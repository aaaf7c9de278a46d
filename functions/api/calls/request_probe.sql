-- Writes: calls.probe_turn.
-- Announces: qm_probes.
create or replace function api.request_probe(name text)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_item_id bigint;
begin
    perform policy.require_principal();
    v_item_id := catalog.item_id(
        array(select k.name from search.kind as k where k.outcomes = 'called'), request_probe.name
    );
    if not catalog.can_probe(v_item_id) then
        perform core.fail('tool_not_probeable', format('the tool %L cannot be probed', request_probe.name));
    end if;
    insert into calls.probe_turn (item_id, probed_at)
    values (v_item_id, '-infinity')
    on conflict (item_id) do update set probed_at = excluded.probed_at;
    perform pg_notify('qm_probes', '');
    return least(jsonb_array_length(catalog.probe_examples(v_item_id)), 3);
end
$function$;
comment on function api.request_probe(text) is
'Asks the service to test a tool now. For this test, the service calls the tool with the examples from the tool''s '
'definition. Argument name: callable name of the tool. Returns how many examples the service will use. Announces the '
'request on channel qm_probes. Raises QM404 tool_not_found, QM409 tool_not_probeable.';
grant execute on function api.request_probe to qm_operator;
