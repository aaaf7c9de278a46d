-- api.downrank_tool: lowers a tool in selections by subtracting from its utility.
-- Raises: see api.downrank_item.  Writes: see api.downrank_item.
create or replace function api.downrank_tool(name text, downrank real, reason text default '', dry_run boolean default false)
returns table (was real, becomes real)
language sql
volatile parallel unsafe security invoker
rows 1
set search_path = pg_catalog, pg_temp
as $function$
    select d.was, d.becomes
    from api.downrank_item('{tool}', downrank_tool.name, downrank_tool.downrank, downrank_tool.reason, downrank_tool.dry_run) as d;
$function$;
comment on function api.downrank_tool(text, real, text, boolean) is
'Arguments: callable name; amount to subtract, 0 to 1 (0: nothing); the reason; whether only to preview the change. '
'Returns the amount before and after.';
grant execute on function api.downrank_tool to qm_operator;
