-- Evaluations are read by operators, all of them; rows are written by api.store_evaluation only.
drop policy if exists owner_all on stats.evaluation;
drop policy if exists operator_reads on stats.evaluation;
drop policy if exists owner_all on stats.evaluation_query;
drop policy if exists operator_reads on stats.evaluation_query;

create policy owner_all on stats.evaluation to qm_owner using (true);
create policy operator_reads on stats.evaluation for select to qm_operator
using ((select policy.principal_id()) is not null);
create policy owner_all on stats.evaluation_query to qm_owner using (true);
create policy operator_reads on stats.evaluation_query for select to qm_operator
using ((select policy.principal_id()) is not null);
