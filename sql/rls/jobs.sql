-- Operators may read jobs and their log; only api.run_job and api.configure_job write rows.
grant usage on schema jobs to qm_reader, qm_admin;

grant select on jobs.job to qm_reader, qm_admin;
create policy operator_reads on jobs.job for select to qm_reader, qm_admin
using ((select policy.has_role('operator')) and not core.is_hidden(folder));

select policy.let_read('jobs.run', 'operator');
