-- api.put_project_member: owners of the project and administrators may do this. The principal becomes a member at once
-- in two cases: it is the caller, or the caller created it and it has not declined. Other principals are invited
-- (projects.invite), because a membership changes the project that their calls use, and the answers to these calls.
-- Writes: projects.member, projects.invitation, policy.audience_member.
create or replace function api.put_project_member(member text, role text default 'member', project text default null)
returns text
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id constant integer := projects.require_owner(put_project_member.project);
    v_member_id bigint;
    v_member policy.principal;
    v_has_declined boolean;
begin
    if (put_project_member.role in ('member', 'owner')) is not true then
        perform core.fail(
            'argument_invalid',
            format('%L is not a role in a project', left(put_project_member.role, 100)),
            null,
            'Use "member" or "owner".'
        );
    end if;
    perform from projects.project as p where p.id = v_project_id for update;
    v_member_id := policy.find_principal(put_project_member.member);
    select * into v_member from policy.principal as p where p.id = v_member_id;
    update projects.member as m
    set role = put_project_member.role
    where m.project_id = v_project_id and m.principal_id = v_member.id;
    if found then
        perform projects.require_an_owner(v_project_id);
        return 'member';
    end if;
    v_has_declined := exists (
        select from projects.invitation as i
        inner join projects.project as p on p.owner_id = i.owner_id and p.name = i.name
        where p.id = v_project_id and i.principal_id = v_member.id and i.declined_at is not null
    );
    if (
        policy.principal_id() = v_member.id or policy.principal_id() = v_member.created_by and not v_has_declined
    ) is not true then
        perform projects.invite(v_project_id, v_member.id, put_project_member.role);
        return 'invited';
    end if;
    insert into projects.member as m (project_id, principal_id, role)
    values (v_project_id, v_member.id, put_project_member.role);
    delete from projects.invitation as i
    using projects.project as p
    where p.id = v_project_id and i.owner_id = p.owner_id and i.name = p.name and i.principal_id = v_member.id;
    return 'member';
end
$function$;
comment on function api.put_project_member(text, text, text) is
'Makes a principal a member of a project, or changes the role of a member. Arguments: member: name of a principal; '
'role: role of the member: member, or owner (owners may change members and remove the project); project: the project, '
'as NAME or OWNER/NAME (null: your only project). Returns member, or invited: a principal that the caller did not '
'create becomes a member when it accepts the invitation (accept_project). Nobody can add or invite a principal that '
'declined. Raises QM403 principal_unknown, project_owner_required, QM404 project_not_found, principal_not_found, QM409 '
'project_ambiguous, project_owner_missing, invitation_declined, invitations_unanswered, QM422 argument_invalid.';
grant execute on function api.put_project_member to qm_user;
