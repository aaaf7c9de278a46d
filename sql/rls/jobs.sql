-- Operators may read jobs and their log; only api.run_job and api.configure_job write rows.
grant usage on schema jobs to qm_reader, qm_admin;

select policy.let_read('jobs.job', 'operator');
select policy.let_read('jobs.run', 'operator');
