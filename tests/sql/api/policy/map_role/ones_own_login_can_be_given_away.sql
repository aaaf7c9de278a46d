begin;
select plan(4);

create role qm_test_login login in role qm_admin;
select t.make_principal('boss', 'admin'), t.make_principal('other', 'admin'), t.make_principal('alice', 'admin');
select t.act_as('boss', 'qm_admin');
select api.map_role('boss', 'qm_test_login');
select t.act_as('other', 'qm_admin');
select throws_ok($$select * from api.map_role('alice', 'qm_test_login')$$, 'QM409', null, 'nobody else gives it away');
select t.act_as('boss', 'qm_admin');
select lives_ok($$select * from api.map_role('alice', 'qm_test_login')$$, 'its principal does');
select results_eq(
    $$select p.name from policy.principal as p where p.database_role = 'qm_test_login'$$, array['alice'], 'to one'
);
select t.act_as('alice', 'qm_admin');
select lives_ok($$select api.enable_principal('boss', false)$$, 'who may then disable the one from before');

select * from finish();
rollback;
