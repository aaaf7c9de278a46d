begin;
select plan(4);

select t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('alice');
select throws_ok($$select * from api.list_job_runs()$$, '42501', null, 'users see none');
select t.act_as('op', 'qm_operator');
select t.at('2026-01-01 10:00+00');
select count(*) from api.run_job('learn');
select t.at('2026-01-01 11:00+00');
select count(*) from api.run_job('refresh');
select results_eq($$select r.job from api.list_job_runs() as r$$, array['refresh', 'learn'], 'of all jobs');
select results_eq($$select r.job from api.list_job_runs(maximum => 1) as r$$, array['refresh'], 'at most so many');
select throws_ok($$select * from api.list_job_runs('lern')$$, 'QM404', null, 'of one that is not there');

select * from finish();
rollback;
