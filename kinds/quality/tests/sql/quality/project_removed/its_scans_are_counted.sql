begin;
select plan(2);

select t.make_project('shop', 'alice'), t.make_project('blog', 'alice');
select t.scan_file('alice', 'a.py', t.scans(), p_project => 'shop'), t.scan_file('alice', 'b.py', t.scans('{}', '{"ty": "absent", "mypy": "absent"}'), p_project => 'shop');
select t.act_as_superuser();
select is((select quality.project_removed(p.id) from projects.project as p where p.name = 'shop'), '{"scans": 22}', 'those of all its files');
select is((select quality.project_removed(p.id) from projects.project as p where p.name = 'blog'), '{"scans": 0}', 'and of no other project');

select * from finish();
rollback;
