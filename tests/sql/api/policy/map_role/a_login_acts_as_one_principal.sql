begin;
select plan(11);

create role qm_test_login login in role qm_operator connection limit 10;
create role qm_test_unlimited login in role qm_operator;
select t.make_principal('boss', 'admin'), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.read_as('op', 'qm_operator');
select throws_ok($$select * from api.map_role('alice', 'qm_test_login')$$, '42501', null, 'an operator may not');
select t.read_as('boss', 'qm_admin');
select throws_ok($$select * from api.map_role('alice', 'qm_no_such_login')$$, 'QM404', null, 'a role that is not there');
select throws_ok($$select * from api.map_role('alice', 'qm_service')$$, 'QM404', null, 'the service''s own login');
select results_eq($$select m.is_superuser, m.next_steps from api.map_role('op', 'qm_test_login') as m$$, $$values (false, '{}'::text[])$$, 'a login with the role of the principal');
select api.map_role('op', null);
select results_eq($$select m.next_steps from api.map_role('op', 'qm_test_unlimited') as m$$, $$values (array['alter role qm_test_unlimited connection limit 10'])$$, 'one without a limit of connections is told');
select api.map_role('op', 'qm_test_login');
select throws_ok($$select * from api.map_role('alice', 'qm_test_login')$$, 'QM409', null, 'one login is one principal');
select is((select p.database_role from policy.principal as p where p.name = 'op'), 'qm_test_login', 'is mapped');
select api.map_role('op', null);
select is((select p.database_role from policy.principal as p where p.name = 'op'), null, 'until the mapping is taken away');
select results_eq($$select m.next_steps from api.map_role('boss', 'qm_test_login') as m$$, $$values (array['grant qm_admin to qm_test_login'])$$, 'one that may too little is told');
select api.map_role('boss', null);
select results_eq($$select m.next_steps from api.map_role('alice', 'qm_test_login') as m$$, $$values (array['revoke qm_operator from qm_test_login'])$$, 'and one that may too much');
select t.act_as_superuser();
grant qm_test_operator to qm_test_login;
set local session authorization qm_test_login;
select is((select p.name from policy.principal as p), 'alice', 'its sessions see as the principal');

select * from finish();
rollback;
