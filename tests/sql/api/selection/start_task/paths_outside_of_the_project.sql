begin;
select plan(5);

select t.make_catalog(), t.make_project('shop', 'alice');
update core.setting set value = '100000' where name = 'task.time_ms';
select t.act_as('alice', 'qm_user');
create function pg_temp.outside(p_paths text[]) returns text language sql as $$
    select s.text from api.start_task('vacuum', p_paths, project => 'shop') as s where s.part = 'left_out' and s.name = 'paths'
$$;
select is(pg_temp.outside('{../../etc/passwd,src/a.py,/etc/hosts}'), 'Outside of the project alice/shop: ../../etc/passwd, /etc/hosts', 'are named');
select is(pg_temp.outside('{src/../../a.py}'), 'Outside of the project alice/shop: src/../../a.py', 'wherever the steps up stand');
select is(pg_temp.outside('{/srv/shop/../a.py}'), 'Outside of the project alice/shop: /srv/shop/../a.py', 'below the root or not');
select is(pg_temp.outside('{src/../a.py,./b.py,/srv/shop/c.py,..d/e.py}'), null, 'others are not');
select is(pg_temp.outside('{}'), null, 'nothing is left out without paths');

select * from finish();
rollback;
