begin;
select plan(7);

select t.make_principal('alice'), t.make_principal('cora'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select t.act_as('alice');
select throws_ok($$select api.appoint_curator('alice')$$, '42501', null, 'nobody appoints themselves');
select throws_ok($$update policy.principal set is_curator = true$$, '42501', null, 'nor writes it');
select t.act_as('op', 'qm_operator');
select throws_ok($$select api.appoint_curator('alice')$$, '42501', null, 'an operator does not');
select t.act_as('boss', 'qm_admin');
select throws_ok($$select api.appoint_curator('nobody')$$, 'QM404', null, 'nor is somebody appointed who is not there');
select api.appoint_curator('cora');
select is((select p.is_curator from api.list_principals() as p where p.name = 'cora'), true, 'an administrator does');
select api.appoint_curator('cora', false);
select is((select p.is_curator from api.list_principals() as p where p.name = 'cora'), false, 'and takes it back');
select t.act_as_superuser();
set constraints all immediate;
select is((select count(*) from audit.record as r where r.object = 'cora' and r.after ? 'is_curator' and r.action = 'update'), 2::bigint, 'the audit has both');

select * from finish();
rollback;
