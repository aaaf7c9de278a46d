-- api.find_toolset: for a user who may see no tool of a toolset, the function raises the same error as for a toolset
-- that does not exist. Otherwise, the answer would reveal that hidden tools exist. Operators may list toolsets, so they
-- find all of them.
create or replace function api.find_toolset(name text)
returns table (toolset text, description text)
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    return query
    select t.name, t.description
    from policy.toolset as t
    where t.name = find_toolset.name
        and (policy.has_role('operator') or strpos(policy.rights_of(policy.principal_id(), t.name)::text, '1') > 0);
    if not found then
        perform core.fail('toolset_not_found', format('there is no toolset called %L', left(find_toolset.name, 100)));
    end if;
end
$function$;
comment on function api.find_toolset(text) is
'Finds a toolset by name. The service calls this function when it limits a session to a toolset. Argument name: name '
'of the toolset. Returns the name and description of the toolset, if the caller may see at least one tool in the '
'toolset, or is an operator. Raises QM404 toolset_not_found.';
grant execute on function api.find_toolset to qm_user;
