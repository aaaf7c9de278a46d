-- api.request_probe: requests that a tool is run on its own examples now.
-- Definer because only its own functions may write the catalog; executable by operators.
-- Raises: QM404 tool_not_found, QM409 tool_not_probeable.  Writes: calls.probe_turn.  Announces: qm_probes.
create or replace function api.request_probe(name text)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_tool_id bigint;
begin
    perform policy.require_principal();
    v_tool_id := catalog.item_id('{tool}', request_probe.name);
    if not catalog.can_probe(v_tool_id) then
        perform core.fail('tool_not_probeable', format('the tool %L cannot be probed', request_probe.name));
    end if;
    insert into calls.probe_turn (tool_id, probed_at)
    values (v_tool_id, '-infinity')
    on conflict (tool_id) do update set probed_at = excluded.probed_at;
    perform pg_notify('qm_probes', request_probe.name);
    return least(jsonb_array_length(catalog.probe_examples(v_tool_id)), 3);
end
$function$;
comment on function api.request_probe(text) is
'Argument: callable name. Returns how many of its examples will run. Announces the request on channel qm_probes.';
grant execute on function api.request_probe to qm_operator;
