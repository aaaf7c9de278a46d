-- api.downrank_tool: takes something off a tool's value in selections, so that others come before it.
-- Definer because the catalog is written by its own functions only; executable by operators.
-- Raises: QM404 tool_not_found, QM422 argument_invalid.  Writes: catalog.tool, its card.
create or replace function api.downrank_tool(name text, downrank real, reason text default '', dry_run boolean default false)
returns table (was real, becomes real)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_tool_id bigint;
begin
    perform policy.require_principal();
    v_tool_id := catalog.tool_id(downrank_tool.name);
    if downrank_tool.downrank is null or downrank_tool.downrank not between 0 and 1 then
        perform core.fail(
            'argument_invalid', format('%s is no downrank, it goes from 0 to 1', coalesce(downrank_tool.downrank::text, 'null')), null,
            'Use 0 for nothing, 0.3 to let equals go first, 1 to put it last.'
        );
    end if;
    select t.downrank, downrank_tool.downrank into was, becomes from catalog.tool as t where t.id = v_tool_id for no key update;
    if not downrank_tool.dry_run then
        update catalog.tool as t
        set downrank = downrank_tool.downrank, downrank_reason = left(coalesce(downrank_tool.reason, ''), 2000)
        where t.id = v_tool_id;
        perform catalog.downrank_card(v_tool_id);
    end if;
    return next;
end
$function$;
comment on function api.downrank_tool(text, real, text, boolean) is
'Arguments: callable name; what is taken off its value, 0 to 1 (0: nothing); why; whether only to say what it was. Returns the value before and after.';
grant execute on function api.downrank_tool to qm_operator;
