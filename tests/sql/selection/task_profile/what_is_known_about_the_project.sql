begin;
select plan(1);

delete from core.hook where point = 'project_facts';
create temporary table task as select (null, null, t.make_project('shop', 'alice'), 'alice/shop', null, null, null, null, null)::selection.task as task;
select is(selection.task_profile(k.task), '[{"name": "project", "text": "shop", "score": 1}]', 'one row with its profile, before all others') from task as k;

select * from finish();
rollback;
