begin;
select plan(7);

select t.make_principal('alice'), t.make_principal('cora'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
update policy.principal set is_curator = true where name = 'cora';
select t.act_as(null, 'qm_user');
select throws_ok($$select api.is_curator()$$, 'QM403', null, 'nobody is none');
select t.act_as('alice');
select is(api.is_curator(), false, 'a user is none');
select t.act_as('cora');
select is(api.is_curator(), true, 'who was appointed is one');
select t.act_as('op', 'qm_operator');
select is(api.is_curator(), true, 'and an operator');
select t.act_as('boss', 'qm_admin');
select is(api.is_curator(), true, 'and an administrator');
select t.act_as_superuser();
update policy.principal set enabled = false where name = 'cora';
select t.act_as('cora');
select throws_ok($$select api.is_curator()$$, 'QM403', null, 'disabled, it is nobody');
select throws_ok($$select policy.require_curator()$$, '42501', null, 'what refuses is internal');

select * from finish();
rollback;
