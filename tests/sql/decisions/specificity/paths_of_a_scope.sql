begin;
select plan(20);

create function pg_temp.place(p_scope text, p_path text, p_check jsonb default null) returns real language sql as $$
    select round(decisions.specificity(case when p_scope = '' then 'global' else 'path' end, p_scope, p_check, p_path)::numeric, 2)::real;
$$;
select is(pg_temp.place('', 'src/api/users.py'), 0::real, 'the whole project');
select is(pg_temp.place('src/**', 'src/api/users.py'), 0.5::real, 'a folder');
select is(pg_temp.place('src/api/**', 'src/api/users.py'), 0.67::real, 'a nearer folder');
select is(pg_temp.place('src/api/*.py', 'src/api/v1/users.py'), null, 'a star does not cross folders');
select is(pg_temp.place('src/api/*.py', 'src/api/users.py'), 0.67::real, 'within one it does');
select is(pg_temp.place('**/views.py', 'src/api/views.py'), 0.5::real, 'a name anywhere');
select is(pg_temp.place('**/views.py', 'views.py'), 0.5::real, 'at the root, too');
select is(pg_temp.place('src/api.v1/**', 'src/apixv1/a.py'), null, 'a dot is a dot');
select is(pg_temp.place('src/(a|b)+/**', 'src/a/x.py'), null, 'nothing is an expression');
select is(pg_temp.place('src/api/**', 'src/api'), 0.67::real, 'the folder itself');
select is(pg_temp.place('src/api/**', 'docs/api/index.md'), null, 'another folder');
select is(pg_temp.place('', 'src/a.py', '{"form": "ruff", "paths": ["src/**"]}'), 0.5::real, 'a check narrows the scope');
select is(pg_temp.place('', 'lib/a.py', '{"form": "ruff", "paths": ["src/**"]}'), null, 'to its paths');
select is(pg_temp.place('', 'src/gen/a.py', '{"form": "ruff", "except": ["**/gen/**"]}'), null, 'without its exceptions');
select is(pg_temp.place('', 'src/a.js', '{"form": "ruff"}'), null, 'and to its language');
select is(pg_temp.place('', 'tests/test_a.py', '{"form": "ruff", "tests": false}'), null, 'and to what is no test');
select is(decisions.specificity('language', 'Python', null, 'a/b.py'), 0::real, 'a language');
select is(decisions.specificity('language', 'python', null, 'a/b.rs'), null, 'not another');
select is(decisions.specificity('module', 'app.api', null, 'src/app/api/users.py') > 0, true, 'a module');
select is(decisions.specificity('module', 'app.api', null, 'src/app/apis.py'), null, 'not one with a longer name');

select * from finish();
rollback;
