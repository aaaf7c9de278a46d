begin;
select plan(5);

create temporary table project as select t.make_project('shop', 'alice') as id;
select is(projects.below(p.id, '/srv/shop/src/a.py'), 'src/a.py', 'a path below the root') from project as p;
select is(projects.below(p.id, './src/a.py'), 'src/a.py', 'however it is written') from project as p;
select is(projects.below(p.id, '/srv/shop'), '', 'the root itself') from project as p;
select is(projects.below(p.id, '/srv/shopping/a.py'), '/srv/shopping/a.py', 'one elsewhere is not taken for one of the project') from project as p;
select is(projects.below(p.id, null), '', 'no path is the root') from project as p;

select * from finish();
rollback;
