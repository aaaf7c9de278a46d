begin;
select plan(5);

select t.make_project('shop', 'alice', 'bob'), t.make_project('mill', 'carol');
select t.act_as('carol', 'qm_user');
select throws_ok($$select api.remove_project_member('carol', 'alice/shop')$$, 'QM404', null, 'a stranger does not learn of the project');
select t.act_as('bob', 'qm_user');
select lives_ok($$select api.remove_project_member('bob', 'shop')$$, 'a member removes itself');
select is_empty($$select * from api.list_projects()$$, 'and sees the project no longer');
select t.act_as('alice', 'qm_user');
select api.put_project_member('bob', project => 'shop');
select t.act_as('bob', 'qm_user');
select api.accept_project('shop');
select throws_ok($$select api.remove_project_member(null)$$, 'QM403', null, 'but not somebody without a name');
select t.act_as('alice', 'qm_user');
select throws_ok($$select api.remove_project_member('alice')$$, 'QM409', null, 'the last owner stays');

select * from finish();
rollback;
