begin;
select plan(5);

insert into core.kind_folder (name, digest) values ('letters', '');
select set_config('qm.kind_folder', 'letters', true);
select jobs.put_job('sweep', 'Sweeps.', interval '1 hour', 'calls.tend');
select set_config('qm.kind_folder', '', true);
select t.make_principal('op', 'operator');
update jobs.job set enabled = name = 'sweep', next_at = core.now() where name <> '';
select is(jobs.require_job('sweep'), 'sweep', 'the job of a folder');
update core.kind_folder set is_hidden = true;
select throws_ok($$select jobs.require_job('sweep')$$, 'QM404', null, 'that is hidden');
select t.act_as('op', 'qm_operator');
select is_empty($$select job from api.run_job()$$, 'it does not run');
select is_empty($$select name from api.list_jobs() where name = 'sweep'$$, 'nor is it listed');
select is((select q.waiting from api.list_queues() as q where q.name = 'jobs'), 0::bigint, 'nor waited for');

select * from finish();
rollback;
