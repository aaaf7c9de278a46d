begin;
select plan(5);

select t.make_project('shop', 'alice', 'bob');
select t.act_as('bob', 'qm_user');
select throws_ok($$select api.remove_project_member('alice')$$, 'QM403', null, 'a member removes nobody');
select t.act_as('alice', 'qm_user');
select throws_ok($$select api.remove_project_member('carol')$$, 'QM404', null, 'who is no member cannot be removed');
select throws_ok($$select api.remove_project_member('alice')$$, 'QM409', null, 'nor the last owner');
select lives_ok($$select api.remove_project_member('bob')$$, 'an owner removes a member');
select t.act_as('bob', 'qm_user');
select is_empty($$select * from api.list_projects()$$, 'who sees the project no longer');

select * from finish();
rollback;
