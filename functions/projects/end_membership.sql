-- projects.end_membership: the principal whose name is a part of the project's name (OWNER/NAME) stays a member.
-- Otherwise a project would have the name of somebody who cannot see it.
-- Writes: projects.member, policy.audience_member.
create or replace function projects.end_membership(p_project_id integer, p_principal_id bigint)
returns boolean
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project projects.project;
    v_name text;
begin
    select * into v_project from projects.project as p where p.id = p_project_id for update;
    delete from projects.member as m where m.project_id = p_project_id and m.principal_id = p_principal_id;
    if not found then
        return false;
    end if;
    if v_project.owner_id = p_principal_id then
        v_name := (select u.name from policy.principal as u where u.id = p_principal_id);
        perform core.fail(
            'project_owner_missing',
            format(
                '%s added the project %s, and stays its member: the project is called %1$s/%2$s', v_name, v_project.name
            ),
            null,
            format(
                'To end the project: qm project remove %s/%s. To hand it over, let the new owner add it under its own '
                'name.',
                v_name,
                v_project.name
            )
        );
    end if;
    perform projects.require_an_owner(p_project_id);
    return true;
end
$function$;
comment on function projects.end_membership(integer, bigint) is
'Removes a member from a project. Arguments: p_project_id: id of the project; p_principal_id: id of the principal. '
'Returns false if the principal is not a member. Raises QM409 project_owner_missing for the principal that added the '
'project, and for the last owner.';
