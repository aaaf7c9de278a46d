-- api.approve_tool: approves the current version of a tool, so that it can be found, described and called.
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
'Arguments: callable name; the version that was reviewed (default: the newest); the reason; whether only to preview '
'the change. Returns the status before and its reason, the version, and its number of findings.';
grant execute on function api.approve_tool to qm_operator;
