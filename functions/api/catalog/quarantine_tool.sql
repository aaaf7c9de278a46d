-- api.quarantine_tool: takes a tool out of search and reach until somebody approves it; its origin cannot bring it back.
-- Definer because the catalog is written by its own functions only; executable by operators.
-- Raises: QM404 tool_not_found.  Writes: catalog.tool, catalog.tool_version, cards.
create or replace function api.quarantine_tool(name text, reason text default '', dry_run boolean default false)
returns table (was text, version integer, calls bigint)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
begin
    return query
    select w.was, w.version, w.calls
    from catalog.withhold_tool(quarantine_tool.name, 'quarantined', quarantine_tool.reason, v_principal_id, quarantine_tool.dry_run) as w;
end
$function$;
comment on function api.quarantine_tool(text, text, boolean) is
'Arguments: callable name; why; whether only to say what it is. Returns the status it had, its version, and how often it was called in the last 30 days.';
grant execute on function api.quarantine_tool to qm_operator;
