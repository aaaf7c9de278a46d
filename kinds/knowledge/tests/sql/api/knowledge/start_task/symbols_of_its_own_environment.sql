begin;
select plan(7);

select t.make_catalog(), t.make_project('shop', 'alice'), t.make_project('blog', 'bob'), t.make_project('lab', 'carol', 'bob');
update core.setting set value = '100000' where name = 'task.time_ms';
select t.make_library('shop', 'acme', '1.0', 'Sends a parcel by road.');
select t.make_library('lab', 'pigeon', '1.0', 'Sends a parcel by air.');
select t.make_library('blog', 'swift', '1.0', 'Sends a parcel by road, quickly.');
update knowledge.environment set project_id = null where folder = '/srv/blog';
select knowledge.share(array(select d.id from knowledge.distribution as d));
create function pg_temp.symbols(p_project text) returns text language sql as $$
    select string_agg(s.name, ' ' order by s.name) from api.start_task('send a parcel by road', project => p_project) as s where s.part = 'symbol'
$$;

select t.act_as('bob', 'qm_user');
select is(pg_temp.symbols('blog'), 'swift.send', 'without an environment of its own, a project is offered what everybody may see, and no package of another project');
select is(pg_temp.symbols('lab'), 'pigeon.send', 'which its members find in that project');
select t.act_as('alice', 'qm_user');
select is(pg_temp.symbols('shop'), 'acme.send', 'with one, only what is in it');
select is(
    (select string_agg(s.name, ' ' order by s.name) from api.search_cards('send a parcel by road', '{symbol}', 'fast') as s), 'acme.send swift.send',
    'other searches in the transaction find all'
);
select t.act_as_superuser();
update knowledge.distribution set objects = 100000 where name = 'acme';
select t.act_as('alice', 'qm_user');
select is(pg_temp.symbols('shop'), 'acme.send', 'also if it is large');
select t.act_as_superuser();
insert into knowledge.environment_distribution (environment_id, distribution_id)
select e.id, d.id from knowledge.environment as e, knowledge.distribution as d where e.folder = '/srv/shop' and d.name = 'swift';
select t.act_as('alice', 'qm_user');
select is(pg_temp.symbols('shop'), 'acme.send swift.send', 'a package that it has may be visible to everybody');

select t.act_as_superuser();
delete from knowledge.environment_distribution as h using knowledge.environment as e where e.id = h.environment_id and e.folder = '/srv/blog';
select t.act_as('bob', 'qm_user');
select is(pg_temp.symbols('blog'), null, 'nothing, if everybody may see nothing');

select * from finish();
rollback;
