begin;
select plan(12);

select t.make_principal('boss', 'admin'), t.make_principal('op', 'operator'), t.make_principal('mallory');
select t.make_project('shop', 'alice', 'bob');
select t.act_as('mallory', 'qm_user');
select throws_ok($$select api.put_project_member('mallory', project => 'alice/shop')$$, 'QM404', null, 'nobody lets themselves in');
select t.act_as('op', 'qm_operator');
select throws_ok($$select api.put_project_member('op', project => 'shop')$$, 'QM404', null, 'nor does an operator');
select t.act_as('bob', 'qm_user');
select throws_ok($$select api.put_project_member('mallory')$$, 'QM403', null, 'a member does not let others in');
select throws_ok($$select api.put_project_member('bob', 'owner')$$, 'QM403', null, 'nor makes itself an owner');
select throws_ok($$select api.remove_project_member('alice')$$, 'QM403', null, 'nor removes the owner');
select t.act_as('alice', 'qm_user');
select throws_ok($$select api.put_project_member('alice', 'member')$$, 'QM409', null, 'the last owner stays one');
select throws_ok($$select api.put_project_member('nobody')$$, 'QM404', null, 'a member is a principal');
select throws_ok($$select api.put_project_member('bob', 'king')$$, 'QM422', null, 'with a role that there is');
select lives_ok($$select api.put_project_member('bob', 'owner')$$, 'an owner makes another');
select lives_ok($$select api.put_project_member('alice', 'member')$$, 'and may then step back');
select t.act_as('boss', 'qm_admin');
select lives_ok($$select api.put_project_member('boss', project => 'shop')$$, 'an administrator lets itself in');
set constraints all immediate;
select is((select count(*) from api.list_audit() as r where r.table_name = 'projects.member' and r.after ->> 'principal_id' = policy.principal_id()::text), 1::bigint, 'which the audit records');

select * from finish();
rollback;
