begin;
select plan(5);

select t.make_principal('op', 'operator'), t.make_catalog();
select t.act_as('op', 'qm_operator');
create temporary table found as
select f.* from api.find_first('{get current time,open a ticket,zyzzyva}') with ordinality as f (goal, name, path, score, position);
select results_eq(
    $$select f.goal, f.name, f.path from found as f order by f.position$$,
    $$values ('get current time', 'time__get_current_time', 'time/get_current_time'), ('open a ticket', 'tracker__create_ticket', 'tracker/create_ticket'), ('zyzzyva', null, null)$$,
    'in the order of the goals'
);
select is((select f.name from found as f where f.position = 1), (select s.name from api.select_tools('get current time') as s where s.rank = 1), 'what a search shows first');
select is((select count(*) from api.list_goals()), 1::bigint, 'only the search has a receipt');
select is_empty($$select * from api.find_first('{}')$$, 'no goals');
select throws_ok($$select * from api.find_first('{""}')$$, 'QM422', null, 'an empty goal');

select * from finish();
rollback;
