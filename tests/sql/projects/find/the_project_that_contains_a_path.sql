begin;
select plan(14);

select t.make_project('shop', 'alice', 'bob'), t.make_project('blog', 'alice'), t.make_project('secret', 'eve');
update projects.project set root = '/srv/shop/blog' where name = 'blog';
create function pg_temp.named(p_id integer) returns text language sql security definer as $$select p.name from projects.project as p where p.id = p_id$$;
select t.read_as('alice');
select is(pg_temp.named(projects.find('/srv/shop')), 'shop', 'by its folder');
select is(pg_temp.named(projects.find('/srv/shop/')), 'shop', 'with a slash');
select is(pg_temp.named(projects.find('/srv/shop/src/a.py')), 'shop', 'by a file in it');
select is(pg_temp.named(projects.find('/srv/shop/blog/a.py')), 'blog', 'the innermost');
select throws_ok($$select projects.find('/srv/shopping')$$, 'QM404', 'you are not a member of any project that contains /srv/shopping', 'not by the beginning of a name');
select throws_ok($$select projects.find('/srv/secret')$$, 'QM404', 'you are not a member of any project that contains /srv/secret', 'that of others is not found');
select throws_ok($$select projects.find()$$, 'QM409', null, 'several are an error');
select is(pg_temp.named(projects.find(p_path => '/srv/shop/x.py')), 'shop', 'unless the path of the call says which');
select throws_ok($$select projects.find(p_path => '/opt/x.py')$$, 'QM409', null, 'which may say nothing');
select is(pg_temp.named(projects.find('blog', p_path => '/srv/shop/x.py')), 'blog', 'the name comes first');
select set_config('qm.folder', '/srv/shop/src', true);
select is(pg_temp.named(projects.find()), 'shop', 'or the folder of the session');
select set_config('qm.project', 'blog', true);
select is(pg_temp.named(projects.find()), 'blog', 'its project comes first');
select is(pg_temp.named(projects.find(p_path => '/srv/shop/x.py')), 'shop', 'and the path of the call before that');
select set_config('qm.project', '', true), set_config('qm.folder', '/opt', true);
select t.read_as('bob');
select is(pg_temp.named(projects.find()), 'shop', 'a folder of no project leaves the only one');

select * from finish();
rollback;
