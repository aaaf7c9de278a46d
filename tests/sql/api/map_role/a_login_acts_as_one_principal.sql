begin;
select plan(8);

create role qm_test_login login in role qm_operator;
select t.make_principal('boss', 'admin'), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.map_role('alice', 'qm_test_login')$$, '42501', null, 'an operator may not');
select t.act_as('boss', 'qm_admin');
select throws_ok($$select * from api.map_role('alice', 'qm_no_such_login')$$, 'QM404', null, 'a role that is not there');
select throws_ok($$select * from api.map_role('alice', 'qm_service')$$, 'QM404', null, 'the service''s own login');
select results_eq($$select m.working_role, m.is_member, m.too_much from api.map_role('op', 'qm_test_login') as m$$, $$values ('qm_operator', true, '{}'::text[])$$, 'a login with the role of the principal');
select throws_ok($$select * from api.map_role('alice', 'qm_test_login')$$, 'QM409', null, 'one login is one principal');
select results_eq($$select m.is_member from api.map_role('op', null) as m$$, array[null::boolean], 'a mapping can be taken away');
select results_eq($$select m.too_much from api.map_role('alice', 'qm_test_login') as m$$, $$values (array['qm_operator'])$$, 'a login that may more than its principal is told');
select t.act_as_superuser();
set local session authorization qm_test_login;
select is((select p.name from policy.principal as p), 'alice', 'its sessions see as the principal');

select * from finish();
rollback;
