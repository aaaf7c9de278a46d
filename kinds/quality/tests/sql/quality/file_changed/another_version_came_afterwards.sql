begin;
select plan(4);

select t.make_project('shop', 'alice');
insert into quality.file_version (project_id, path, blob_hash, language, seen_at)
select p.id, v.path, v.blob_hash, 'python', v.seen_at::timestamptz
from projects.project as p
cross join (values ('a.py', repeat('a', 40), '2030-01-01'), ('a.py', repeat('b', 40), '2030-01-05'), ('b.py', repeat('a', 40), '2030-01-05')) as v (path, blob_hash, seen_at);
create function pg_temp.changed(p_path text, p_since timestamptz) returns boolean language sql return (select quality.file_changed(p.id, p_path, p_since) from projects.project as p);
select is(pg_temp.changed('a.py', '2030-01-01'), true, 'a version of that time was followed by another');
select is(pg_temp.changed('a.py', '2030-01-02'), false, 'only the newest was there since then');
select is(pg_temp.changed('b.py', '2029-01-01'), false, 'the first version is no change');
select is(pg_temp.changed('c.py', '2029-01-01'), false, 'nor is a file that nobody has seen');

select * from finish();
rollback;
