-- api.deprecate_tool: takes a tool out of use, even if its origin still offers it. Approving it brings it back.
-- Raises: see api.decide_item.  Writes: see api.decide_item.
create or replace function api.deprecate_tool(name text, reason text default '', dry_run boolean default false)
returns table (was text, version integer, calls bigint)
language sql
volatile parallel unsafe security invoker
rows 1
set search_path = pg_catalog, pg_temp
as $function$
    select d.was, d.current_version, d.calls
    from api.decide_item('{tool}', deprecate_tool.name, 'deprecated', null, deprecate_tool.reason, deprecate_tool.dry_run) as d;
$function$;
comment on function api.deprecate_tool(text, text, boolean) is
'Arguments: callable name; the reason; whether only to preview the change. Returns the status before, its version, '
'and how often it was called in the last 30 days.';
grant execute on function api.deprecate_tool to qm_operator;
