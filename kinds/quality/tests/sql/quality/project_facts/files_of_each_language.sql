begin;
select plan(3);

select t.make_project('shop', 'alice'), t.make_principal('mallory');
create temporary table shop as select p.id from projects.project as p;
grant select on shop to public;
select t.read_as('alice');
select is((select quality.project_facts(id) from shop), '[[null, "no file was scanned yet"]]', 'none');
select t.scan_file('alice', 'a.py', t.scans(), 'one'), t.scan_file('alice', 'a.py', t.scans(), 'two'), t.scan_file('alice', 'b.py', t.scans()), t.scan_file('alice', 'a.md', t.scans());
select t.read_as('alice');
select is((select quality.project_facts(id) from shop), '[[null, "2 python files, 1 text file"]]', 'each file once');
select t.read_as('mallory');
select is((select quality.project_facts(id) from shop), '[[null, "no file was scanned yet"]]', 'nobody else learns how many');

select * from finish();
rollback;
