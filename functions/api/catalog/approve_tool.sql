-- api.approve_tool: approves a tool as it is now: it is found, described and called.
-- Raises: see api.decide_item.  Writes: see api.decide_item.
create or replace function api.approve_tool(name text, version integer default null, reason text default '', dry_run boolean default false)
returns table (was text, because text, current_version integer, findings bigint)
language sql
volatile parallel unsafe security invoker
rows 1
set search_path = pg_catalog, pg_temp
as $function$
    select d.was, d.because, d.current_version, d.findings
    from api.decide_item('{tool}', approve_tool.name, 'approved', approve_tool.version, approve_tool.reason, approve_tool.dry_run) as d;
$function$;
comment on function api.approve_tool(text, integer, text, boolean) is
'Arguments: callable name; the version that was looked at (default: whatever is newest); why; whether only to tell what would change. Returns the status it had and why, the version, and how many findings that has.';
grant execute on function api.approve_tool to qm_operator;
