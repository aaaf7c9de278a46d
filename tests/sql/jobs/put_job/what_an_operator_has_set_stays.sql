begin;
select plan(5);

select t.at('2026-01-01 00:00:00+00');
select jobs.put_job('sweep', 'Sweeps.', interval '1 hour', 'catalog.refresh_all');
select results_eq(
    $$select j.every, j.routine, j.next_at from jobs.job as j where j.name = 'sweep'$$,
    $$values (interval '1 hour', 'catalog.refresh_all', core.now() + interval '1 hour')$$,
    'a new job runs after one interval'
);
update jobs.job set every = interval '1 day', enabled = false where name = 'sweep';
select jobs.put_job('sweep', 'Sweeps more.', interval '2 hours', 'calls.tend');
select results_eq(
    $$select j.every, j.enabled from jobs.job as j where j.name = 'sweep'$$,
    $$values (interval '1 day', false)$$,
    'what an operator has set stays'
);
select results_eq(
    $$select j.description, j.routine from jobs.job as j where j.name = 'sweep'$$,
    $$values ('Sweeps more.', 'calls.tend')$$,
    'what it does changes'
);
select throws_ok(
    $$select jobs.put_job('sweep', 'Sweeps.', interval '1 hour', 'catalog.no_such')$$, 'QM422', null, 'a function that is not there'
);
select is((select count(*) from jobs.job as j where j.name = 'sweep'), 1::bigint, 'there is one job of a name');

select * from finish();
rollback;
