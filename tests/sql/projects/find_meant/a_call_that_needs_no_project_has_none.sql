begin;
select plan(7);

select t.make_principal('bob'), t.make_project('shop', 'alice'), t.make_project('blog', 'alice');
create function pg_temp.meant(p_name text default null, p_path text default null) returns text language sql as $$
    select p.name from projects.project as p where p.id = projects.find_meant(p_name, p_path)
$$;
select t.read_as('alice');
select is(projects.find_meant(), null, 'nobody is asked to choose one of several');
select is(pg_temp.meant('shop'), 'shop', 'one that is named');
select is(pg_temp.meant(null, '/srv/blog/a.py'), 'blog', 'one that contains the path');
select set_config('qm.folder', '/srv/shop/src', true);
select is(pg_temp.meant(), 'shop', 'or the folder of the session');
select throws_ok($$select projects.find_meant('nothing')$$, 'QM404', null, 'a name of no project is an error');
select t.read_as('bob');
select is(projects.find_meant(), null, 'who has none needs none');
select t.act_as_superuser();
select t.make_project('mill', 'bob');
select t.read_as('bob');
select is(pg_temp.meant(), 'mill', 'the only one');

select * from finish();
rollback;
