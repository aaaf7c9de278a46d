begin;
select plan(6);

select t.make_principal('alice'), t.make_principal('op', 'operator'), t.make_origin('a'), t.make_origin('b');
select t.make_tool('a', 'open_ticket', 'Open a ticket for a bug.'), t.make_tool('b', 'new_ticket', 'Open a ticket for a bug.');
create temporary table first as select ''::text as name where false;
grant all on first to public;
select t.act_as('alice');
insert into first select s.name from api.select_tools('open ticket') as s where s.rank = 1;
select throws_ok($$select * from api.downrank_item('{tool}', 'a__open_ticket', 1)$$, '42501', null, 'a user may not');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.downrank_item('{tool}', 'a__open_ticket', 2)$$, 'QM422', null, 'from 0 to 1');
select throws_ok($$select * from api.downrank_item('{tool}', 'a__open_ticket', null)$$, 'QM422', null, 'not nothing');
select results_eq($$select d.was, d.becomes from first cross join lateral api.downrank_item('{tool}', first.name, 1, dry_run => true) as d$$, $$values (0::real, 1::real)$$, 'a preview');
select results_eq($$select d.was, d.becomes from first cross join lateral api.downrank_item('{tool}', first.name, 1) as d$$, $$values (0::real, 1::real)$$, 'done');
select t.act_as('alice');
select isnt((select s.name from api.select_tools('open ticket') as s where s.rank = 1), (select first.name from first), 'another one is first now');

select * from finish();
rollback;
