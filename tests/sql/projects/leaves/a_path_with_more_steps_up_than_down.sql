begin;
select plan(2);

select is(array_agg(p.path), null, 'these lead out of the project')
from unnest('{/etc/hosts,..,../a.py,src/../../a.py,./../a.py,a//../../b}'::text[]) as p (path)
where not projects.leaves(p.path);
select is(array_agg(p.path), '{"",.,a.py,src/../a.py,./b.py,..d/e.py,a/b/../..}', 'these do not')
from unnest('{"",.,a.py,src/../a.py,./b.py,..d/e.py,a/b/../..}'::text[]) as p (path)
where not projects.leaves(p.path);

select * from finish();
rollback;
