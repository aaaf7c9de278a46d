begin;
select plan(8);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('alice');
select throws_ok($$select * from api.retire_row('plant', '2')$$, 'QM403', null, 'not for a user');
select t.act_as('op', 'qm_operator');
select results_eq($$select r.id, r.active from api.retire_row('plant', '2', 'a synonym') as r$$, $$values ('2', false)$$, 'it is retired');
select throws_ok($$select * from api.retire_row('plant', '2')$$, 'QM409', null, 'once');
select is_empty($$select * from api.search_lookup('plant', 'Betula nana', threshold => 0) as s where s.id = '2'$$, 'it is not found');
select is((select s.id from api.search_lookup('plant', 'Betula nana', active_only => false) as s where s.rank = 1), '2', 'unless it is asked for');
select results_eq($$select c.kind, c.reason, c.curator from api.list_curations('plant', '2') as c$$, $$values ('retirement', 'a synonym', 'op')$$, 'who did it and why is kept');
select results_eq($$select r.active from api.restore_row('plant', '2') as r$$, array[true], 'it comes back');
select is((select s.id from api.search_lookup('plant', 'Betula nana') as s where s.rank = 1), '2', 'and is found');

select * from finish();
rollback;
