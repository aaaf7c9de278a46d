-- Only members of a project see its decisions; no role makes anybody a member. Only security definer functions write.
grant usage on schema decisions to qm_reader, qm_admin;

grant select on decisions.decision to qm_reader, qm_admin;
create policy user_reads on decisions.decision for select to qm_reader, qm_admin
using (project_id = any((select projects.mine())::integer[]));

grant select on decisions.refusal to qm_reader, qm_admin;
create policy user_reads on decisions.refusal for select to qm_reader, qm_admin
using (project_id = any((select projects.mine())::integer[]));

grant select on decisions.evidence to qm_reader, qm_admin;
create policy user_reads on decisions.evidence for select to qm_reader, qm_admin
using (exists (select from decisions.decision as d where d.id = decision_id));

grant select on decisions.review to qm_reader, qm_admin;
create policy user_reads on decisions.review for select to qm_reader, qm_admin
using (exists (select from decisions.decision as d where d.id = decision_id));

grant select on decisions.outcome to qm_reader, qm_admin;
create policy user_reads on decisions.outcome for select to qm_reader, qm_admin
using (exists (select from decisions.decision as d where d.id = decision_id));

grant select on decisions.link to qm_reader, qm_admin;
create policy user_reads on decisions.link for select to qm_reader, qm_admin
using (exists (select from decisions.decision as d where d.id = from_id));

select policy.let_read('decisions.check_form', 'user');
