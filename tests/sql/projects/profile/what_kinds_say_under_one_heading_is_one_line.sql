begin;
select plan(2);

delete from core.hook where point = 'project_facts';
create temporary table project as select t.make_project('shop', 'alice') as id;
select is(projects.profile(p.id), 'shop', 'without kinds, its name') from project as p;
create function core.knows_files(integer) returns jsonb language sql as $$select '[[null, "3 files"], ["Notes", "2 of its own"]]'::jsonb$$;
create function core.knows_nothing(integer) returns jsonb language sql as 'select null::jsonb';
create function core.knows_packages(integer) returns jsonb language sql as $$select '[["Notes", "1 shared"], [null, "5 packages"]]'::jsonb$$;
select core.put_hook('project_facts', 'core.knows_files', 1), core.put_hook('project_facts', 'core.knows_nothing', 2), core.put_hook('project_facts', 'core.knows_packages', 3);
select is(projects.profile(p.id), E'Notes: 2 of its own, 1 shared\nshop: 3 files, 5 packages', 'facts without a heading stand under its name') from project as p;

select * from finish();
rollback;
