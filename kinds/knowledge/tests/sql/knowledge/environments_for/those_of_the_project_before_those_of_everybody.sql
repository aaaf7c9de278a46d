begin;
select plan(5);

select t.make_project('shop', 'alice'), t.make_project('blog', 'alice');
select t.make_library('shop', 'acme');
insert into knowledge.environment (folder, project_id, indexed_at)
select f.folder, p.id, core.now()
from (values ('/srv/all', null), ('/srv/empty', 'blog')) as f (folder, project)
left join projects.project as p on p.name = f.project;
create function pg_temp.folders(p_folder text, p_project text) returns text[] language sql as $$
    select array_agg(e.folder order by e.folder)
    from knowledge.environment as e
    where e.id = any(knowledge.environments_for(p_folder, (select p.id from projects.project as p where p.name = p_project)))
$$;
select is(pg_temp.folders(null, 'shop'), '{/srv/shop}', 'a project with packages');
select is(pg_temp.folders(null, 'blog'), '{/srv/all}', 'a project without packages');
select is(pg_temp.folders('/srv/all', 'shop'), '{/srv/all}', 'the folder that is asked for');
select is(pg_temp.folders(null, null), '{/srv/all,/srv/empty,/srv/shop}', 'all');
select is(knowledge.environments_for('/srv/other', null), '{}', 'a folder that was not read');

select * from finish();
rollback;
