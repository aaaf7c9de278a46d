-- Symbols. A distribution is visible to the members of the projects whose environment holds it, or to everybody if an
-- environment for everybody does. Only security definer functions write.
grant usage on schema knowledge to qm_reader, qm_admin;

grant select on knowledge.environment to qm_reader, qm_admin;
create policy user_reads on knowledge.environment for select to qm_reader, qm_admin
using (project_id is null or project_id = any((select projects.mine())::integer[]));

grant select on knowledge.environment_distribution to qm_reader, qm_admin;
create policy user_reads on knowledge.environment_distribution for select to qm_reader, qm_admin
using (exists (select from knowledge.environment as e where e.id = environment_id));

grant select on knowledge.distribution to qm_reader, qm_admin;
create policy user_reads on knowledge.distribution for select to qm_reader, qm_admin
using (
    exists (
        select from knowledge.environment_distribution as h
        where h.distribution_id = distribution.id
    )
);

grant select on knowledge.symbol to qm_reader, qm_admin;
create policy user_reads on knowledge.symbol for select to qm_reader, qm_admin
using (distribution_id in (select d.id from knowledge.distribution as d));

grant select on knowledge.symbol_path to qm_reader, qm_admin;
create policy user_reads on knowledge.symbol_path for select to qm_reader, qm_admin
using (distribution_id in (select d.id from knowledge.distribution as d));

select policy.let_read('knowledge.missed_lookup', 'operator');

-- Everybody may read the domains and the notes that come with Quartermaster. Notes of a project are for its members.
select policy.let_read('knowledge.domain'::regclass, 'user');

grant select on knowledge.note to qm_reader, qm_admin;
create policy member_reads on knowledge.note for select to qm_reader, qm_admin
using (project_id is null or project_id = any((select projects.mine())::integer[]));

select projects.let_members_read('knowledge.passage', 'knowledge.note', 'note_id');
select projects.let_members_read('knowledge.question', 'knowledge.passage', 'passage_id');

-- What was asked for is nobody's business but the operators'. The service serves single documents.
select policy.let_read('knowledge.document', 'operator');
select policy.let_read('knowledge.provider', 'operator');
