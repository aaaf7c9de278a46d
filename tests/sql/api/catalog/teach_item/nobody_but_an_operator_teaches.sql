begin;
select plan(9);

select t.make_principal('alice'), t.make_principal('op', 'operator'), t.make_catalog();
select t.act_as('alice');
select throws_ok($$select * from api.teach_item('{tool}', 'what is the clock in Oslo', 'tracker__create_ticket')$$, '42501', null, 'an agent teaches nothing');
select throws_ok($$select * from api.forget_teaching(1)$$, '42501', null, 'nor does it forget');
select t.act_as(null, 'qm_operator');
select throws_ok($$select * from api.teach_item('{tool}', 'what is the clock in Oslo', 'tracker__create_ticket')$$, 'QM403', null, 'nor does a session of nobody');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.teach_item('{tool}', ' ', 'tracker__create_ticket')$$, 'QM422', null, 'a goal has words');
select throws_ok($$select * from api.teach_item('{tool}', 'x', 'tracker__nothing')$$, 'QM404', null, 'a tool is there');
select throws_ok($$select * from api.teach_item('{tool}', 'x', 'tracker__create_ticket', 'tracker__create_ticket')$$, 'QM422', null, 'no tool is right and wrong');
select throws_ok($$select * from api.teach_item('{tool}', 'x', 'tracker__create_ticket', 'tracker__nothing')$$, 'QM404', null, 'the wrong tool is there, too');
select t.act_as('alice');
select is((select s.name from api.select_tools('get the current time') as s where s.rank = 1), 'time__get_current_time', 'nothing has changed');
select t.act_as_superuser();
select is_empty($$select * from search.teaching$$, 'nothing is stored');

select * from finish();
rollback;
