begin;
select plan(2);

select is(jobs.require_job('learn'), 'learn', 'one that is there');
select throws_ok($$select jobs.require_job('lern')$$, 'QM404', 'there is no job called ''lern''', 'one that is not');

select * from finish();
rollback;
