begin;
select plan(8);

select t.make_principal('boss', 'admin');
select t.make_project('shop', 'alice');
select t.act_as('boss', 'qm_admin');
select api.create_principal('bob', 'person');
select t.act_as('alice', 'qm_user');
select is(api.put_project_member('bob'), 'invited', 'somebody else invites');
select t.act_as('bob', 'qm_user');
select lives_ok($$select api.decline_project('shop')$$, 'who is invited declines');
select t.act_as('boss', 'qm_admin');
select throws_ok($$select api.put_project_member('bob', project => 'shop')$$, 'QM409', null, 'who created the principal does not add it');
select throws_ok($$select api.put_project_member('bob', 'owner', 'shop')$$, 'QM409', null, 'nor as an owner');
select lives_ok($$select api.remove_project('shop')$$, 'nor if the project is removed');
select t.act_as('alice', 'qm_user');
select api.add_project('shop', '/srv/shop');
select t.act_as('boss', 'qm_admin');
select throws_ok($$select api.put_project_member('bob', project => 'shop')$$, 'QM409', null, 'and added again');
select t.act_as('bob', 'qm_user');
select is_empty($$select * from api.list_projects()$$, 'it is no member');
select lives_ok($$select api.accept_project('alice/shop')$$, 'until it accepts');

select * from finish();
rollback;
