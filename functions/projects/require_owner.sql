create or replace function projects.require_owner(p_name text)
returns integer
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id constant integer := projects.find(p_name, true);
begin
    if not policy.has_role('admin')
        and not exists (
            select from projects.member as m
            where m.project_id = v_project_id and m.principal_id = policy.principal_id() and m.role = 'owner'
        )
    then
        perform core.fail(
            'project_owner_required',
            (
                select format('you do not own the project %s', p.name)
                from projects.project as p
                where p.id = v_project_id
            )
        );
    end if;
    return v_project_id;
end
$function$;
comment on function projects.require_owner(text) is
'Finds a project as projects.find does. Raises an error unless the caller owns the project or is an administrator. '
'Argument p_name: the project, as NAME or OWNER/NAME. Returns the id of the project. The errors are QM403 '
'principal_unknown, project_owner_required, QM404 project_not_found, QM409 project_ambiguous.';
