begin;
select plan(15);

select t.make_principal('boss', 'admin'), t.make_principal('bob'), t.make_principal('mallory');
select t.make_project('shop', 'alice');
select t.act_as('bob', 'qm_user');
select throws_ok($$select api.accept_project('alice/shop')$$, 'QM404', null, 'nobody lets themselves in');
select t.act_as('alice', 'qm_user');
select is(api.put_project_member('bob', 'owner'), 'invited', 'an owner invites');
select throws_ok($$select api.accept_project('alice/shop')$$, 'QM404', null, 'and does not answer');
select t.act_as('mallory', 'qm_user');
select throws_ok($$select api.accept_project('alice/shop')$$, 'QM404', null, 'nor does somebody else');
select t.act_as('boss', 'qm_admin');
select throws_ok($$select api.accept_project('alice/shop')$$, 'QM404', null, 'nor an administrator');
select t.act_as(null, 'qm_user');
select throws_ok($$select api.accept_project('alice/shop')$$, 'QM403', null, 'nobody is refused');
select t.act_as('bob', 'qm_user');
select throws_ok($$select api.accept_project('blog')$$, 'QM404', null, 'an invitation is to one project');
select is_empty($$select * from api.list_projects()$$, 'who is invited is no member yet');
select throws_ok($$select api.show_project('alice/shop')$$, 'QM404', null, 'and sees nothing of the project');
select results_eq($$select * from api.accept_project('shop')$$, $$values ('shop', 'alice', 'owner')$$, 'who accepts has the role of the invitation');
select results_eq($$select l.project, l.role from api.list_projects() as l$$, $$values ('shop', 'owner')$$, 'and is a member');
select throws_ok($$select api.accept_project('shop')$$, 'QM404', null, 'once');

select t.act_as_superuser();
select t.make_project('shop', 'paul');
select t.act_as('alice', 'qm_user');
select api.put_project_member('mallory', project => 'alice/shop');
select t.act_as('paul', 'qm_user');
select api.put_project_member('mallory', project => 'paul/shop');
select t.act_as('mallory', 'qm_user');
select throws_ok($$select api.accept_project('shop')$$, 'QM409', null, 'of two projects with this name, one is named');
select lives_ok($$select api.accept_project('paul/shop')$$, 'with its owner');
set constraints all immediate;
select t.act_as('boss', 'qm_admin');
select isnt_empty($$select from api.list_audit() as r where r.table_name = 'projects.invitation' and r.action = 'delete'$$, 'the audit records the answer');

select * from finish();
rollback;
