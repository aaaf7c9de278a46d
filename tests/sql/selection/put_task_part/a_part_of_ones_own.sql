begin;
select plan(4);

create function selection.task_weather(p_task selection.task) returns jsonb language sql as $$
    select jsonb_build_array(jsonb_build_object('name', 'today', 'text', format('Rain, for %s', (p_task).goal), 'score', 1))
$$;
select throws_ok(
    $$select selection.put_task_part('weather', 5, 'selection.no_such_part')$$, 'QM422',
    'the part weather of a task names a function selection.no_such_part(selection.task) that does not exist', 'the function must exist'
);
select selection.put_task_part('weather', 5, 'selection.task_weather', p_needs_project => true);
grant execute on function selection.task_weather to qm_reader;
select t.make_principal('alice');
select t.act_as('alice', 'qm_user');
select is((select count(*) from api.start_task('go for a walk') where part = 'weather'), 0::bigint, 'a part that needs a project is not asked for without one');
select t.act_as_superuser();
select selection.put_task_part('weather', 5, 'selection.task_weather');
select t.act_as('alice', 'qm_user');
select is((select s.text from api.start_task('go for a walk') as s where s.part = 'weather'), 'Rain, for go for a walk', 'a part gets the task');
select throws_ok('select count(*) from selection.task_part', '42501', null, 'and users cannot read the table');

select * from finish();
rollback;
