begin;
select plan(6);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('alice');
select throws_ok($$select * from api.drop_lookup('place')$$, '42501', null, 'a user may not');
select t.act_as('op', 'qm_operator');
select results_eq($$select * from api.drop_lookup('place', true)$$, $$values (2, 2)$$, 'what would go');
select results_eq($$select * from api.drop_lookup('place')$$, $$values (2, 2)$$, 'what goes');
select throws_ok($$select * from api.drop_lookup('place')$$, 'QM404', null, 'only once');
select t.act_as_superuser();
select is_empty($$select * from search.card as c where c.kind in ('lookup', 'lookup_table') and c.origin = 'place'$$, 'no card');
select is((select count(*) from lookup.lookup_table), 1::bigint, 'the other table stays');

select * from finish();
rollback;
