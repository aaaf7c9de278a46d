begin;
select plan(3);

select t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select t.act_as('op', 'qm_operator');
select throws_ok($$select api.put_organisation('acme')$$, '42501', null, 'operators may not');
select t.act_as('boss', 'qm_admin');
select throws_ok($$select api.put_organisation('')$$, 'QM422', null, 'a name is needed');
select is(api.put_organisation('acme'), api.put_organisation('acme', 'makes everything'), 'described anew it stays the same');

select * from finish();
rollback;
