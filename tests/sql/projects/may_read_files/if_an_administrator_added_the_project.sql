begin;
select plan(2);

select t.make_principal('boss', 'admin');
create temporary table project as select t.make_project('shop', 'alice', 'boss') as shop, t.make_project('works', 'boss', 'alice') as works;
grant select on project to public;
select t.read_as('alice');
select is(projects.may_read_files(p.works), true, 'an administrator decides what the service reads') from project as p;
select is(projects.may_read_files(p.shop), false, 'also if it is only a member of another project') from project as p;

select * from finish();
rollback;
