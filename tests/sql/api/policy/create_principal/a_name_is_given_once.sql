begin;
select plan(8);

select t.make_principal('boss', 'admin'), t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select throws_ok($$select api.create_principal('eve', role => 'admin')$$, '42501', null, 'an operator may not');
select t.act_as(null, 'qm_admin');
select throws_ok($$select api.create_principal('eve')$$, 'QM403', null, 'nor may nobody');
select t.act_as('boss', 'qm_admin');
select ok(api.create_principal('alice', 'person', 'user') > 0, 'an administrator may');
select throws_ok($$select api.create_principal('alice')$$, 'QM409', null, 'a name that is taken');
select throws_ok($$select api.create_principal('')$$, 'QM422', null, 'no name at all');
select throws_ok($$select api.create_principal(E'al\nice')$$, 'QM422', null, 'a name of two lines');
select throws_ok($$select api.create_principal('other', organisation => 'none')$$, 'QM404', null, 'an organisation that is none');
select throws_ok($$select api.create_principal('x', role => 'owner')$$, '23514', null, 'a role that is none');

select * from finish();
rollback;
