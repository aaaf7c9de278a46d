begin;
select plan(7);

select t.make_principal('boss', 'admin'), t.make_principal('op', 'operator'), t.make_principal('mallory');
select t.make_project('shop', 'alice', 'bob'), t.make_project('blog', 'bob');
select t.act_as('mallory', 'qm_user');
select is_empty($$select * from api.list_projects()$$, 'who is no member sees none');
select t.act_as('op', 'qm_operator');
select is_empty($$select * from api.list_projects()$$, 'nor does an operator');
select throws_ok($$select api.show_project('shop')$$, 'QM404', null, 'or show one');
select t.act_as('alice', 'qm_user');
select results_eq($$select l.project, l.owner, l.root, l.role, l.members from api.list_projects() as l$$, $$values ('shop', 'alice', '/srv/shop', 'owner', 2::bigint)$$, 'a member sees its own');
select is(api.show_project() -> 'members', '[{"name": "alice", "role": "owner"}, {"name": "bob", "role": "member"}]', 'with its members');
select t.act_as('boss', 'qm_admin');
select results_eq($$select l.project, l.owner, l.role from api.list_projects() as l$$, $$values ('blog', 'bob', null), ('shop', 'alice', null)$$, 'an administrator sees all');
select t.act_as(null, 'qm_user');
select throws_ok($$select * from api.list_projects()$$, 'QM403', null, 'nobody is refused');

select * from finish();
rollback;
