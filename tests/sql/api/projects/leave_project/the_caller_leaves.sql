begin;
select plan(12);

select t.make_principal('boss', 'admin'), t.make_principal('mallory');
select t.make_project('shop', 'alice', 'bob'), t.make_project('mill', 'carol');
select t.act_as('mallory', 'qm_user');
select throws_ok($$select api.leave_project('alice/shop')$$, 'QM404', null, 'a stranger does not learn of the project');
select t.act_as('boss', 'qm_admin');
select throws_ok($$select api.leave_project('alice/shop')$$, 'QM404', null, 'an administrator is no member');
select t.act_as(null, 'qm_user');
select throws_ok($$select api.leave_project('shop')$$, 'QM403', null, 'nobody is refused');
select t.act_as('bob', 'qm_user');
select throws_ok($$select api.leave_project('mill')$$, 'QM404', null, 'a project of others is not left');
select results_eq($$select * from api.leave_project('shop')$$, $$values ('shop', 'alice')$$, 'a member leaves');
select is_empty($$select * from api.list_projects()$$, 'and sees the project no longer');
select throws_ok($$select api.leave_project('shop')$$, 'QM404', null, 'once');
select t.act_as('alice', 'qm_user');
select is(jsonb_array_length(api.show_project('shop') -> 'members'), 1, 'nobody else has left');
select is(api.put_project_member('bob', 'owner', 'shop'), 'invited', 'and the owner may ask again');
select t.act_as('bob', 'qm_user');
select api.accept_project('shop');
select t.act_as('alice', 'qm_user');
select throws_ok(
    $$select api.leave_project('shop')$$, 'QM409', 'alice added the project shop, and stays its member: the project is called alice/shop',
    'who added the project stays, also beside other owners'
);
select t.act_as('bob', 'qm_user');
select throws_ok($$select api.remove_project_member('alice', 'shop')$$, 'QM409', null, 'and is not removed');
select lives_ok($$select api.leave_project('shop')$$, 'another owner leaves');

select * from finish();
rollback;
