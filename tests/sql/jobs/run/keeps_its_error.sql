begin;
select plan(4);

create function jobs.works() returns jsonb language sql as $$ select '{"done": 1}'::jsonb $$;
create function jobs.breaks() returns jsonb language plpgsql as $$
begin
    insert into core.setting (name, value, description) values ('left.behind', '1', 'x');
    perform core.fail('job_not_found', 'not my day');
end $$;
select results_eq($$select * from jobs.run('jobs.works')$$, $$values ('{"done": 1}'::jsonb, null::text)$$, 'what it did');
select results_eq($$select * from jobs.run('jobs.breaks')$$, $$values (null::jsonb, 'not my day (QM404)')$$, 'or why it failed');
select is_empty($$select s.name from core.setting as s where s.name = 'left.behind'$$, 'a failed one leaves nothing');
select matches((select r.failure from jobs.run('jobs.gone') as r), 'does not exist', 'a routine that is not there is such a failure');

select * from finish();
rollback;
