begin;
select plan(3);

select t.make_principal('bob'), t.make_project('shop', 'alice'), t.make_project('mill', 'alice');
select t.read_as('bob');
select is(
    projects.why_none(), 'You are a member of no project. Ask the owner of one to add you: qm project members NAME --add bob. Or add one: qm project add PATH.',
    'who is no member becomes one'
);
select t.read_as('alice');
select is(projects.why_none(), 'Name one of your 2 projects: alice/mill, alice/shop.', 'who has several names one');
select api.put_project_member('bob', project => 'shop');
select t.read_as('bob');
select is(projects.why_none(), projects.tell_invitations(), 'who is invited answers');

select * from finish();
rollback;
