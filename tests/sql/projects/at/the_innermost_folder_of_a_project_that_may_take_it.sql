begin;
select plan(8);

select t.make_project('shop', 'alice', 'bob'), t.make_project('blog', 'alice'), t.make_project('secret', 'eve');
select t.make_project('trap', 'mallory', 'alice', 'bob'), t.make_project('works', 'root', 'alice');
update projects.project as p set root = r.root
from (values ('blog', '/srv/shop/blog/'), ('trap', '/srv/shop/src'), ('works', '/srv/shop/docs')) as r (name, root)
where r.name = p.name;
update policy.principal set role = 'admin' where name = 'root';
create function pg_temp.at(p_path text) returns text language sql as $$select p.name from projects.project as p where p.id = projects.at(p_path)$$;
select t.read_as('alice');
select is(pg_temp.at('/srv/shop/'), 'shop', 'the folder itself');
select is(pg_temp.at('/srv/shop/blog/a.py'), 'blog', 'the innermost');
select is(pg_temp.at('/srv/shopping'), null, 'not by the beginning of a name');
select is(projects.at('/srv/secret/a.py'), null, 'none of others');
select is(projects.at('a.py'), null, 'no relative path');
-- Whoever adds a project may give it any root, and invite anybody.
select is(pg_temp.at('/srv/shop/src/a.py'), 'shop', 'a project that somebody else added takes no folder from one of one''s own');
select is(pg_temp.at('/srv/shop/docs/a.md'), 'works', 'one that an administrator added does');
select t.read_as('mallory');
select is(pg_temp.at('/srv/shop/src/a.py'), 'trap', 'and its owner has it');

select * from finish();
rollback;
