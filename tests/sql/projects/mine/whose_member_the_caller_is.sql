begin;
select plan(4);

create temporary table project as select t.make_project('shop', 'alice', 'bob') as shop, t.make_project('blog', 'alice') as blog;
grant select on project to public;
select t.make_principal('boss', 'admin');
select t.read_as('alice');
select is(projects.mine(), array[p.shop, p.blog], 'the owner') from project as p;
select t.read_as('bob');
select is(projects.mine(), array[p.shop], 'a member') from project as p;
select t.read_as('boss', 'qm_admin');
select is(projects.mine(), '{}', 'rank alone makes nobody a member');
select t.read_as(null);
select is(projects.mine(), '{}', 'nor is nobody one');

select * from finish();
rollback;
