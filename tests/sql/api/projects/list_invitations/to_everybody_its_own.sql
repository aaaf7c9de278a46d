begin;
select plan(7);

select t.make_principal('boss', 'admin'), t.make_principal('bob'), t.make_principal('mallory');
select t.make_project('shop', 'alice', 'carol');
select t.act_as('alice', 'qm_user');
select api.put_project_member('carol', 'owner');
select t.act_as('carol', 'qm_user');
select api.put_project_member('bob');
select is_empty($$select * from api.list_invitations()$$, 'who invites is not told here');
select t.act_as('mallory', 'qm_user');
select is_empty($$select * from api.list_invitations()$$, 'nor is somebody else');
select t.act_as('boss', 'qm_admin');
select is_empty($$select * from api.list_invitations()$$, 'nor an administrator');
select t.act_as('bob', 'qm_user');
select results_eq(
    $$select l.project, l.owner, l.role, l.invited_by from api.list_invitations() as l$$,
    $$values ('shop', 'alice', 'member', 'carol')$$, 'who is invited learns by whom'
);
select t.act_as('carol', 'qm_user');
select is(api.remove_project_member('bob'), 'withdrawn', 'who has invited withdraws');
select t.act_as('bob', 'qm_user');
select is_empty($$select * from api.list_invitations()$$, 'until the invitation is withdrawn');
select t.act_as(null, 'qm_user');
select throws_ok($$select * from api.list_invitations()$$, 'QM403', null, 'nobody is refused');

select * from finish();
rollback;
