-- api.remove_project_member: owners of the project and administrators may do this, and members may remove themselves
-- (api.leave_project). An invitation that was declined stays, so that nobody repeats it.
-- Writes: projects.member, projects.invitation, policy.audience_member.
create or replace function api.remove_project_member(member text, project text default null)
returns text
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_caller_id constant bigint := policy.require_principal();
    v_member_id constant bigint := (select p.id from policy.principal as p where p.name = remove_project_member.member);
    v_project_id constant integer := case
        when v_member_id = v_caller_id then projects.find(remove_project_member.project)
        else projects.require_owner(remove_project_member.project)
    end;
begin
    if projects.end_membership(v_project_id, v_member_id) then
        return 'removed';
    end if;
    delete from projects.invitation as i
    using projects.project as p
    where p.id = v_project_id
        and i.owner_id = p.owner_id
        and i.name = p.name
        and i.principal_id = v_member_id
        and i.declined_at is null;
    if not found then
        perform core.fail(
            'member_not_found', format('the project has no member called %L', left(remove_project_member.member, 200))
        );
    end if;
    return 'withdrawn';
end
$function$;
comment on function api.remove_project_member(text, text) is
'Removes a member from a project, or withdraws an invitation that was not answered. Members can remove themselves. '
'Arguments: member: name of the principal; project: the project, as NAME or OWNER/NAME (null: your only project). '
'Returns removed, or withdrawn if the principal was only invited. Raises QM403 principal_unknown, '
'project_owner_required, QM404 project_not_found, member_not_found, QM409 project_ambiguous, project_owner_missing.';
grant execute on function api.remove_project_member to qm_user;
