begin;
select plan(13);

select t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('alice');
select throws_ok($$select * from api.run_job()$$, '42501', null, 'users run none');
select t.act_as_superuser();
delete from jobs.job as j where j.name not in ('learn', 'refresh');
update jobs.job as j set next_at = '2026-01-01 10:00+00', every = '1 hour';
update jobs.job as j set next_at = '2026-01-01 09:00+00' where j.name = 'refresh';
select t.act_as('op', 'qm_operator');
select t.at('2026-01-01 08:59+00');
select is_empty($$select * from api.run_job()$$, 'before its time nothing runs');
select t.at('2026-01-01 10:30+00');
select results_eq($$select r.job, r.result, r.failure from api.run_job() as r$$, $$values ('refresh', '{"origins": 0}'::jsonb, null::text)$$, 'the longest waiting first');
select results_eq($$select r.job from api.run_job() as r$$, array['learn'], 'then the next');
select is_empty($$select * from api.run_job()$$, 'each once');
select results_eq(
    $$select r.job, r.started_at, r.late_by, r.failure from api.list_job_runs() as r order by r.job$$,
    $$values ('learn', '2026-01-01 10:30+00'::timestamptz, interval '30 minutes', null::text), ('refresh', '2026-01-01 10:30+00'::timestamptz, interval '90 minutes', null::text)$$,
    'the log says when, and how late'
);
select results_eq($$select distinct j.next_at from api.list_jobs() as j$$, $$values ('2026-01-01 11:00+00'::timestamptz)$$, 'both are due at their next moment');
select results_eq($$select r.job from api.run_job('learn') as r$$, array['learn'], 'a given one runs though it is not due');
select is((select j.next_at from api.list_jobs() as j where j.name = 'learn'), '2026-01-01 11:30+00'::timestamptz, 'its rhythm begins anew');
select throws_ok($$select * from api.run_job('lern')$$, 'QM404', null, 'one that is not there is an error');
select t.act_as_superuser();
update jobs.job as j set routine = 'jobs.gone', enabled = false;
select t.act_as('op', 'qm_operator');
select t.at('2026-03-01 10:00+00');
select is_empty($$select * from api.run_job()$$, 'what is not enabled does not run by itself');
select matches((select r.failure from api.run_job('learn') as r), 'jobs.gone', 'a failure is told, not raised');
select results_eq($$select r.job from api.list_job_runs('learn') as r$$, array['learn'], 'and logged; the log of more than a month ago is gone');

select * from finish();
rollback;
