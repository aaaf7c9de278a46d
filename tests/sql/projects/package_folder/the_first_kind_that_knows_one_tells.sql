begin;
select plan(2);

delete from core.hook where point = 'package_folder';
select is(projects.package_folder(1), null, 'without kinds nobody knows');
create function core.knows_none(integer) returns text language sql as 'select null::text';
create function core.knows_one(p_id integer) returns text language sql as $$select '/srv/venv' || p_id$$;
create function core.knows_another(p_id integer) returns text language sql as $$select '/srv/other'$$;
select core.put_hook('package_folder', 'core.knows_none', 1), core.put_hook('package_folder', 'core.knows_one', 2), core.put_hook('package_folder', 'core.knows_another', 3);
select is(projects.package_folder(1), '/srv/venv1', 'the others are not asked');

select * from finish();
rollback;
