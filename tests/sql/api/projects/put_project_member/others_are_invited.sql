begin;
select plan(13);

select t.make_principal('boss', 'admin'), t.make_principal('chief', 'admin'), t.make_principal('bob');
select t.make_project('shop', 'alice');
select t.act_as('boss', 'qm_admin');
select api.create_principal('bot');
select t.act_as('alice', 'qm_user');
select is(api.put_project_member('bob'), 'invited', 'a principal of its own is asked');
select is(api.put_project_member('bot'), 'invited', 'also one that an administrator created');
select is(api.show_project() -> 'members', '[{"name": "alice", "role": "owner"}]', 'and is no member');
select is(api.put_project_member('bob', 'owner'), 'invited', 'an open invitation changes');
select throws_ok($$select api.put_project_member('bob', null)$$, 'QM422', null, 'but needs a role');
select is(api.show_project() #> '{invited,0}', '{"name": "bob", "role": "owner", "declined": false}', 'the owners see it');
select t.act_as('chief', 'qm_admin');
select is(api.put_project_member('bot', project => 'shop'), 'invited', 'an administrator who did not create it asks, too');
select t.act_as('boss', 'qm_admin');
select is(api.put_project_member('bot', project => 'shop'), 'member', 'who created it does not');
select is(api.show_project('shop') #> '{invited,1}', null, 'then nothing is open any more');
select is(api.put_project_member('bot', 'owner', 'shop'), 'member', 'a member gets another role at once');

-- Nobody fills the list of another.
select t.act_as('alice', 'qm_user');
select api.add_project('p' || n, '/srv') from generate_series(1, 10) as n;
select api.put_project_member('bob', project => 'p' || n) from generate_series(1, 9) as n;
select throws_ok($$select api.put_project_member('bob', project => 'p10')$$, 'QM409', null, 'ten invitations wait for an answer');
select is(api.put_project_member('bob', project => 'p9'), 'invited', 'the tenth may change');
select api.remove_project_member('bob', 'p9');
select is(api.put_project_member('bob', project => 'p10'), 'invited', 'and makes room if it is withdrawn');

select * from finish();
rollback;
