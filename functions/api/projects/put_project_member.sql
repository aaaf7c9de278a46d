-- api.put_project_member: adds a member to a project, or changes the role of a member. Owners of the project and
-- administrators may do this.
-- The function runs with the rights of its owner (security definer), because only functions may write projects.
-- Raises: QM403 principal_unknown, project_owner_required, QM404 project_not_found, principal_not_found, QM409
-- project_ambiguous, project_owner_missing, QM422 argument_invalid.
-- Writes: projects.member, policy.audience_member.
create or replace function api.put_project_member(member text, role text default 'member', project text default null)
returns void
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id constant integer := projects.require_owner(put_project_member.project);
begin
    if put_project_member.role not in ('member', 'owner') then
        perform core.fail('argument_invalid', format('%L is not a role in a project', left(put_project_member.role, 100)), null, 'Use "member" or "owner".');
    end if;
    perform from projects.project as p where p.id = v_project_id for update;
    insert into projects.member as m (project_id, principal_id, role)
    values (v_project_id, policy.find_principal(put_project_member.member), put_project_member.role)
    on conflict on constraint member_pkey do update set role = excluded.role;
    perform projects.require_an_owner(v_project_id);
end
$function$;
comment on function api.put_project_member(text, text, text) is
'Adds a member to a project, or changes the role of a member. Arguments: member: name of a principal; role: role of the '
'member: member, or owner (owners may change members and remove the project); project: the project, as NAME or '
'OWNER/NAME (null: your only project).';
grant execute on function api.put_project_member to qm_user;
