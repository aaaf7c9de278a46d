begin;
select plan(3);

select t.make_catalog(), t.make_principal('op', 'operator');
update core.setting set value = '0' where name = 'task.time_ms';
select t.act_as('op', 'qm_operator');
select is(
    (select count(*) from api.start_task('vacuum dead row versions') where part = 'left_out' and name = 'tool'), 0::bigint,
    'the first call of a session makes the plans, so it has no limit'
);
select is(
    (select count(*) from api.start_task('vacuum dead row versions') where part = 'left_out' and name = 'tool'), 1::bigint,
    'the time of later calls is limited'
);
select isnt_empty(
    $$select from api.start_task('vacuum') where part = 'left_out' and text ~ 'no time left'$$, 'a part that was late says so'
);

select * from finish();
rollback;
