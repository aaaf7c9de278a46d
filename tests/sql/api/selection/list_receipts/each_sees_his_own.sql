begin;
select plan(8);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select t.act_as('bob');
select api.select_tools('open a ticket');
select t.act_as('alice');
select is_empty('select * from api.list_receipts()', 'not another''s');
select is_empty($$select * from api.list_receipts(by_principal => 'bob')$$, 'also not by his name');
select is_empty($$select * from api.list_receipts(by_principal => 'nobody')$$, 'which is like a name that nobody has');
select t.act_as('op', 'qm_operator');
select is_empty('select * from api.list_receipts()', 'operators see their own');
select t.act_as(null);
select throws_ok('select * from api.list_receipts()', 'QM403', null, 'and nobody none without a principal');
select t.act_as('bob');
select results_eq('select l.principal, l.goal, l.kind from api.list_receipts() as l', $$values ('bob', 'open a ticket', 'tool')$$, 'one''s own');
select t.act_as('boss', 'qm_admin');
select results_eq('select l.principal, l.goal from api.list_receipts() as l', $$values ('bob', 'open a ticket')$$, 'an administrator sees all');
select results_eq($$select l.goal from api.list_receipts(by_principal => 'bob') as l$$, $$values ('open a ticket')$$, 'also by name');

select * from finish();
rollback;
