begin;
select plan(3);

select t.make_project('shop', 'alice'), t.make_project('blog', 'alice');
insert into knowledge.environment (folder, project_id, indexed_by, indexed_at)
select f.folder, p.id, p.owner_id, f.at
from projects.project as p
cross join (values ('/srv/old', timestamptz '2026-01-01'), ('/srv/new', timestamptz '2026-02-01')) as f (folder, at)
where p.name = 'shop';
select is(projects.package_folder(p.id), '/srv/new', 'it was read last') from projects.project as p where p.name = 'shop';
insert into knowledge.environment (folder, project_id, indexed_by, indexed_at)
select f.folder, p.id, t.make_principal('op', 'operator'), '2026-03-01'
from projects.project as p
cross join (values ('/srv/others/venv'), ('/srv/shopping/venv'), ('/srv/shop/../others')) as f (folder)
where p.name = 'shop';
select is(projects.package_folder(p.id), '/srv/new', 'outside of the project, only its owner names one') from projects.project as p where p.name = 'shop';
select is(projects.package_folder(p.id), null, 'none was read for the other') from projects.project as p where p.name = 'blog';

select * from finish();
rollback;
