-- Operators read jobs and their log; only api.run_job and api.configure_job write rows.
grant usage on schema jobs to qm_user;

grant select on jobs.job to qm_operator;
create policy operator_reads on jobs.job for select to qm_operator
using ((select policy.principal_id()) is not null);

grant select on jobs.run to qm_operator;
create policy operator_reads on jobs.run for select to qm_operator
using ((select policy.principal_id()) is not null);
