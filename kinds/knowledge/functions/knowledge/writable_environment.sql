-- knowledge.writable_environment: the caller may change an environment of its own project. Only administrators may
-- change an environment that is for everybody.
create or replace function knowledge.writable_environment(p_id bigint)
returns knowledge.environment
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_found knowledge.environment;
begin
    perform policy.require_principal();
    select e.*
    into v_found
    from knowledge.environment as e
    where e.id = p_id
        and case when e.project_id is null then policy.has_role('admin') else e.project_id = any(projects.mine()) end;
    if v_found.id is null then
        perform core.fail(
            'environment_not_found',
            'you have no such environment',
            null,
            'List the folders that were read, and their projects, with: qm docs folders.'
        );
    end if;
    return v_found;
end
$function$;
comment on function knowledge.writable_environment(bigint) is
'Raises an error unless the caller may change the contents of an environment. Argument p_id: id of the environment. '
'Returns the row of the environment. The errors are QM403 principal_unknown, QM404 environment_not_found.';
