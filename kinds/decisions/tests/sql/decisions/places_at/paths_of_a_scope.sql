begin;
select plan(28);

select t.make_project('shop', 'alice'), t.make_project('blog', 'alice');
create function pg_temp.place(p_scope text, p_path text, p_check jsonb default null, p_kind text default null) returns real language sql as $$
    delete from decisions.decision;
    insert into decisions.decision (project_id, pattern, scope_kind, scope_value, polarity, confidence, origin, check_definition, created_at, updated_at, fingerprint)
    select p.id, 'x', coalesce(p_kind, case when p_scope = '' then 'global' else 'path' end), p_scope, 'do', 'low', 'imported', p_check, now(), now(), sha256('x')
    from projects.project as p where p.name = 'shop';
    select round(a.place::numeric, 2)::real from projects.project as p, decisions.places_at(p.id, p_path) as a where p.name = 'shop';
$$;
select is(pg_temp.place('', 'src/api/users.py'), 0::real, 'the whole project');
select is(pg_temp.place('src/**', 'src/api/users.py'), 0.5::real, 'a folder');
select is(pg_temp.place('src/api/**', './src/api/users.py'), 0.67::real, 'a nearer folder');
select is(pg_temp.place('src/api/*.py', 'src/api/v1/users.py'), null, 'a star does not cross folders');
select is(pg_temp.place('src/api/*.py', 'src/api/users.py'), 0.67::real, 'within one it does');
select is(pg_temp.place('**/views.py', 'src/api/views.py'), 0.5::real, 'a name anywhere');
select is(pg_temp.place('**/views.py', 'views.py'), 0.5::real, 'at the root, too');
select is(pg_temp.place('**/views.py', 'src/reviews.py'), null, 'not the end of a name');
select is(pg_temp.place('src/api/users.py', 'src/api/users.py'), 0.75::real, 'one file');
select is(pg_temp.place('src/api.v1/**', 'src/apixv1/a.py'), null, 'a dot is a dot');
select is(pg_temp.place('src/(a|b)+/**', 'src/a/x.py'), null, 'nothing is an expression');
select is(pg_temp.place('src/api/**', 'docs/api/index.md'), null, 'another folder');
select is(pg_temp.place('', 'src/a.py', '{"form": "ruff", "paths": ["src/**"]}'), 0.5::real, 'a check narrows the scope');
select is(pg_temp.place('', 'lib/a.py', '{"form": "ruff", "paths": ["src/**"]}'), null, 'to its paths');
select is(pg_temp.place('', 'src/gen/a.py', '{"form": "ruff", "except": ["**/gen/**"]}'), null, 'without its exceptions');
select is(pg_temp.place('', 'src/a.js', '{"form": "ruff"}'), null, 'and to its language');
select is(pg_temp.place('', 'tests/test_a.py', '{"form": "ruff", "tests": false}'), null, 'and to what is no test');
select is(pg_temp.place('Python', 'a/b.py', null, 'language'), 0::real, 'a language');
select is(pg_temp.place('python', 'a/b.rs', null, 'language'), null, 'not another');
select is(pg_temp.place('app.api', 'src/app/api/users.py', null, 'module') > 0, true, 'a module');
select is(pg_temp.place('app.api', 'src/app/apis.py', null, 'module'), null, 'not one with a longer name');

-- Folders.
select is(pg_temp.place('src/api/**', 'src/api'), 0.67::real, 'the folder itself');
select is(pg_temp.place('src/api/*.py', 'src/api/'), 0.67::real, 'its files');
select is(pg_temp.place('src/**', 'src/api'), 0.5::real, 'a folder above');
select is(pg_temp.place('src/api/v1/**', 'src/api'), 0.25::real, 'a part of the folder is less close');
select is(pg_temp.place('src/apis/**', 'src/api'), null, 'not a longer name');
select is(pg_temp.place('src/api/**', ''), 0.25::real, 'everything is a part of the root');

-- The parts of a glob say the same as its expression, whatever its shape.
select is_empty($$
    select g.glob, p.path
    from unnest('{**,*,**/*,a/**,a/*,a/*.py,a/**/*.py,**/a.py,a/**/a.py,**/a/*.py,**/*.py,*.py,a?/b.py,a/b.py,a/**/b/**,ab*b,a/ab*b.py,**/a*/b.py,a**b}'::text[]) as g (glob)
    cross join unnest('{a,a.py,b.py,a/b.py,a/a.py,a/b/a.py,a/b/c/a.py,ab/b.py,b/a/x.py,ab,abb,abab,a/ab.py,a/abb.py,a/ab/b.py,xa.py,a/xa.py,b/aa/b.py,axb,a/xb}'::text[]) as p (path)
    where (pg_temp.place(g.glob, p.path || '.py') is not null) <> (p.path || '.py' ~ decisions.glob_expression(g.glob))
$$, 'every shape fits what its expression fits');

select * from finish();
rollback;
