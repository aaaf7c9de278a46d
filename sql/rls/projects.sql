-- Members see their projects. Administrators see all projects and members, because they manage them, but nothing that a
-- project contains. An invited principal sees the invitation, but nothing of the project. Nobody may read audiences.
grant usage on schema projects to qm_reader, qm_admin;

grant select on projects.project to qm_reader, qm_admin;
create policy user_reads on projects.project for select to qm_reader, qm_admin
using (id = any((select projects.mine())::integer[]) or (select policy.has_role('admin')));

grant select on projects.member to qm_reader, qm_admin;
create policy user_reads on projects.member for select to qm_reader, qm_admin
using (project_id = any((select projects.mine())::integer[]) or (select policy.has_role('admin')));

grant select on projects.invitation to qm_reader, qm_admin;
create policy user_reads on projects.invitation for select to qm_reader, qm_admin
using (
    principal_id = (select policy.principal_id())
    or exists (
        select from projects.project as p
        where p.owner_id = invitation.owner_id and p.name = invitation.name
    )
);
