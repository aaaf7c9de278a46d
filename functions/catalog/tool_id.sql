-- catalog.tool_id: id of a tool that the asking principal may see under the policies, whatever its status.
-- Raises: QM404 tool_not_found.
create or replace function catalog.tool_id(p_name text)
returns bigint
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id constant bigint := (
        select t.id
        from catalog.tool as t
        where t.callable_name = p_name and policy.is_visible(t.rights_class, (select policy.visible_classes()))
    );
begin
    if v_id is null then
        perform core.fail('tool_not_found', format('there is no tool called %L', left(p_name, 200)), null, 'List tools with: qm tool list.');
    end if;
    return v_id;
end
$function$;
comment on function catalog.tool_id(text) is 'Argument: callable name. Returns the tool''s id, or raises QM404 tool_not_found.';
grant execute on function catalog.tool_id to qm_operator;
