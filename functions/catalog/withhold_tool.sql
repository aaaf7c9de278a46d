-- catalog.withhold_tool: an operator's word against a tool, or what it would mean.
-- Raises: QM404 tool_not_found.  Writes: catalog.tool, catalog.tool_version, cards.
create or replace function catalog.withhold_tool(
    p_name text, p_status text, p_reason text, p_principal_id bigint, p_dry_run boolean, out was text, out version integer, out calls bigint
)
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_tool_id constant bigint := catalog.tool_id(p_name);
begin
    select t.status, t.version, (select count(*) from calls.call as c where c.tool_id = t.id and c.started_at > core.now() - interval '30 days')
    into was, version, calls
    from catalog.tool as t
    where t.id = v_tool_id
    for no key update;
    if not p_dry_run then
        perform catalog.decide_tools(array[v_tool_id], p_status, p_reason, p_principal_id);
    end if;
end
$function$;
comment on function catalog.withhold_tool(text, text, text, bigint, boolean) is
'Arguments: callable name; quarantined or deprecated; why; the deciding principal; whether only to say what it is. Returns the status it had, its version, and how often it was called in the last 30 days.';
