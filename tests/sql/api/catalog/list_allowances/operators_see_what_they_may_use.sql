begin;
select plan(3);

select t.make_principal('alice'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select t.act_as('boss', 'qm_admin');
select api.allow('environment', 'env:LANG'), api.allow('network', '127.0.0.1', 'hub');
select results_eq($$select a.kind, a.value, a.origin, a.allowed_by from api.list_allowances() as a$$, $$values ('environment', 'env:LANG', null, 'boss'), ('network', '127.0.0.1/32', 'hub', 'boss')$$, 'all of them');
select t.act_as('op', 'qm_operator');
select is((select count(*) from api.list_allowances()), 2::bigint, 'an operator sees them');
select t.act_as('alice', 'qm_user');
select throws_ok($$select * from api.list_allowances()$$, '42501', null, 'a user does not');

select * from finish();
rollback;
