-- Operators may read all evaluations; only api.store_evaluation writes them. Users may read their own statistics, and
-- operators all statistics; only the jobs write them.
grant usage on schema stats to qm_reader, qm_admin;

select policy.let_read('stats.evaluation', 'operator');
select policy.let_read('stats.evaluation_query', 'operator');
select policy.let_read('stats.watermark', 'operator');

grant select on stats.call_hour to qm_reader, qm_admin;
create policy user_reads on stats.call_hour for select to qm_reader, qm_admin
using (principal_id = (select policy.principal_id()) or (select policy.has_role('operator')));

grant select on stats.selection_hour to qm_reader, qm_admin;
create policy user_reads on stats.selection_hour for select to qm_reader, qm_admin
using (principal_id = (select policy.principal_id()) or (select policy.has_role('operator')));
