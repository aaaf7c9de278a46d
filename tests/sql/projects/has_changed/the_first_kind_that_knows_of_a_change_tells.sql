begin;
select plan(4);

delete from core.hook where point = 'file_changed';
select is(projects.has_changed(1, 'a.py', '2026-01-01'), false, 'without kinds nobody knows');
create function core.knows_nothing(integer, text, timestamptz) returns boolean language sql as 'select null::boolean';
create function core.knows_a(p_id integer, p_path text, p_since timestamptz) returns boolean language sql as $$select p_path = 'a.py' and p_since < '2026-02-01'$$;
select core.put_hook('file_changed', 'core.knows_a'), core.put_hook('file_changed', 'core.knows_nothing', 1);
select is(projects.has_changed(1, 'a.py', '2026-01-01'), true, 'one kind knows');
select is(projects.has_changed(1, 'a.py', '2026-02-01'), false, 'that nothing has changed since');
select is(projects.has_changed(1, 'b.py', '2026-01-01'), false, 'or nothing of another file');

select * from finish();
rollback;
