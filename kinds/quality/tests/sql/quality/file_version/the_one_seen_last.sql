begin;
select plan(4);

select t.make_project('shop', 'alice'), t.make_principal('mallory');
create temporary table version as select t.scan_file('alice', 'a.py', t.scans(), 'one') as one, t.scan_file('alice', 'a.py', t.scans(), 'two') as two, (select p.id from projects.project as p) as project_id;
select t.act_as_superuser();
grant select on version to public;
select t.read_as('alice');
select is((select quality.file_version(project_id, 'a.py') from version), (select two from version), 'the newest');
select throws_ok($$select quality.file_version(project_id, 'b.py') from version$$, 'QM404', 'nobody has scanned ''b.py'' yet', 'a file that nobody has scanned');
select t.scan_file('alice', 'a.py', t.scans(), 'one');
select t.read_as('alice');
select is((select quality.file_version(project_id, 'a.py') from version), (select one from version), 'an older one that is seen again');
select t.read_as('mallory');
select throws_ok($$select quality.file_version(project_id, 'a.py') from version$$, 'QM404', null, 'none of others');

select * from finish();
rollback;
