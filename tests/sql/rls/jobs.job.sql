begin;
select plan(12);

select t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select api.configure_job('learn', '7 minutes');
select t.act_as_superuser();
create temporary table untouched as select * from jobs.job;
select policies_are('jobs', 'job', array['owner_all', 'operator_reads']::name [], 'these policies and no other');
select t.act_as('op', 'qm_operator');
select is(current_user, 'qm_operator', 'as qm_operator');
select set_eq(
    $$select x.name from jobs.job as x$$,
    array['evaluate_lookups', 'forget', 'learn', 'refresh', 'refresh_lookups', 'retain', 'snapshot', 'tend'],
    'an operator reads them'
);
select throws_ok($$update jobs.job set name = name$$, '42501', null, 'may not change');
select throws_ok($$insert into jobs.job (name) values ('x')$$, '42501', null, 'may not add');
select throws_ok($$delete from jobs.job$$, '42501', null, 'may not delete');
select throws_ok($$truncate jobs.job$$, '42501', null, 'may not empty');
select t.act_as(null, 'qm_operator');
select is_empty($$select x.name from jobs.job as x$$, 'without a principal nothing is seen');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select throws_ok($$select x.name from jobs.job as x$$, '42501', null, 'a user reads none');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from jobs.job as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'jobs.job'::regclass;

select * from finish();
rollback;
