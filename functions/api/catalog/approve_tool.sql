-- api.approve_tool: brings a tool back, or lets it in, as it is now: findable, describable, callable.
-- Definer because the catalog is written by its own functions only; executable by operators.
-- Raises: QM404 tool_not_found, QM409 tool_changed.  Writes: catalog.tool, catalog.tool_version, cards.
create or replace function api.approve_tool(name text, version integer default null, reason text default '', dry_run boolean default false)
returns table (was text, because text, current_version integer, findings bigint)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
    v_tool_id constant bigint := catalog.tool_id(approve_tool.name);
begin
    select t.status, t.status_reason, t.version, (select count(*) from catalog.finding as f where f.tool_id = t.id and f.version = t.version)
    into was, because, current_version, findings
    from catalog.tool as t
    where t.id = v_tool_id
    for no key update;
    -- What is approved is what was looked at.
    if current_version <> approve_tool.version then
        perform core.fail('tool_changed', format('the tool %L is at version %s, no more at %s', approve_tool.name, current_version, approve_tool.version));
    end if;
    if not approve_tool.dry_run then
        perform catalog.decide_tools(array[v_tool_id], 'approved', approve_tool.reason, v_principal_id);
    end if;
    return next;
end
$function$;
comment on function api.approve_tool(text, integer, text, boolean) is
'Arguments: callable name; the version that was looked at (default: whatever is newest); why; whether only to say what it is. Returns the status it had and why, the version, and how many findings that has.';
grant execute on function api.approve_tool to qm_operator;
