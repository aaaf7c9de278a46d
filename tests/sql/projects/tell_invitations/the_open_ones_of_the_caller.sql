begin;
select plan(5);

select t.make_principal('bob'), t.make_project('shop', 'alice'), t.make_project('mill', 'alice');
select t.read_as('bob');
select is(projects.tell_invitations(), null, 'none');
select t.act_as('alice', 'qm_user');
select api.put_project_member('bob', project => 'shop');
select t.read_as('bob');
select is(projects.tell_invitations(), 'You have 1 invitation: qm project list, or the MCP tool project_invitations.', 'one');
select t.read_as('alice');
select is(projects.tell_invitations(), null, 'which is nobody else''s');
select api.put_project_member('bob', project => 'mill');
select t.read_as('bob');
select is(projects.tell_invitations(), 'You have 2 invitations: qm project list, or the MCP tool project_invitations.', 'two');
select api.decline_project('shop');
select matches(projects.tell_invitations(), '^You have 1 invitation: ', 'what is declined does not count');

select * from finish();
rollback;
