begin;
select plan(2);

create temporary table project as select t.make_project('shop', 'alice', 'bob') as id;
grant select on project to public;
select t.read_as('bob');
select is(projects.mention(p.id), 'According to the project alice/shop: ', 'the project is named') from project as p;
select is(projects.mention(null), '', 'without a project nobody is');

select * from finish();
rollback;
