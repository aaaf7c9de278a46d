begin;
select plan(4);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('alice');
select throws_ok($$select * from api.configure_lookup('plant', 0.5)$$, '42501', null, 'a user may not');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.configure_lookup('plant', 1.5)$$, 'QM422', null, 'no probability');
select results_eq($$select * from api.configure_lookup('plant', 1, null, 0.98)$$, $$values (1::real, 0.1::real, 0.98::real, true)$$, 'what is not said stays');
select is_empty($$select * from api.search_lookup('plant', 'Betula pendula')$$, 'nothing is that sure');

select * from finish();
rollback;
