begin;
select plan(6);

select t.make_principal('alice'), t.make_principal('op', 'operator');
select t.read_as('alice');
select throws_ok($$select api.create_lookup('plant')$$, '42501', null, 'a user may not');
select t.read_as('op', 'qm_operator');
select throws_ok($$select api.create_lookup('no name')$$, 'QM422', null, 'a name that is none');
select throws_ok($$select api.create_lookup('suggest')$$, 'QM422', null, 'nor one that the reconciliation API has an endpoint of');
select is(api.create_lookup('plant', 'Plants', 'botany'), api.create_lookup('plant'), 'it is one table');
select results_eq($$select l.description, l.domain from api.lookup_tables() as l$$, $$values ('Plants', 'botany')$$, 'what is not said stays');
select results_eq($$select c.name, c.origin from search.card as c where c.kind = 'lookup_table'$$, $$values ('plant', 'plant')$$, 'rules see it as a card');

select * from finish();
rollback;
