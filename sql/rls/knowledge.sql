-- Everybody may read the domains and the notes that come with Quartermaster. Notes of a project are for its members.
-- Only security definer functions write.
grant usage on schema knowledge to qm_reader, qm_admin;

select policy.let_read('knowledge.domain'::regclass, 'user');

grant select on knowledge.note to qm_reader, qm_admin;
create policy member_reads on knowledge.note for select to qm_reader, qm_admin
using (project_id is null or project_id = any((select projects.mine())::integer []));

grant select on knowledge.passage to qm_reader, qm_admin;
create policy member_reads on knowledge.passage for select to qm_reader, qm_admin
using (exists (select from knowledge.note as n where n.id = note_id));
