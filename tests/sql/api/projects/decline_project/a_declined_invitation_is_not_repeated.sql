begin;
select plan(12);

select t.make_principal('bob'), t.make_principal('mallory');
select t.make_project('shop', 'alice', 'carol');
select t.act_as('carol', 'qm_user');
select throws_ok($$select api.decline_project('shop')$$, 'QM404', null, 'a member is not invited');
select t.act_as('alice', 'qm_user');
select api.put_project_member('bob');
select throws_ok($$select api.decline_project('shop')$$, 'QM404', null, 'nobody answers for another');
select t.act_as('bob', 'qm_user');
select results_eq($$select * from api.decline_project('alice/shop')$$, $$values ('shop', 'alice')$$, 'who is invited declines');
select lives_ok($$select api.decline_project('shop')$$, 'twice is once');
select is_empty($$select * from api.list_invitations()$$, 'and is not told of it again');
select t.act_as('alice', 'qm_user');
select throws_ok($$select api.put_project_member('bob')$$, 'QM409', null, 'nobody asks again');
select throws_ok($$select api.remove_project_member('bob')$$, 'QM404', null, 'nor takes the answer back');
select is(api.show_project() -> 'invited', '[{"name": "bob", "role": "member", "declined": true}]', 'the owners see it');
select lives_ok($$select * from api.remove_project('shop')$$, 'also if the project is removed');
select api.add_project('shop', '/srv/shop');
select throws_ok($$select api.put_project_member('bob')$$, 'QM409', null, 'and added again');
select t.act_as('bob', 'qm_user');
select lives_ok($$select * from api.accept_project('alice/shop')$$, 'but who declined may accept after all');
select results_eq($$select l.project from api.list_projects() as l$$, array['shop'], 'and is then a member');

select * from finish();
rollback;
