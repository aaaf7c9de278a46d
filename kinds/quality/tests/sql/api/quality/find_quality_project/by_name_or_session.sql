begin;
select plan(7);
select t.make_project('own', 'carol');
select t.act_as('carol');
select throws_ok($$select * from api.find_quality_project()$$, 'QM403', null, 'an agent does not decide which files are read');
select t.act_as_superuser();
select t.make_project('shop', 'alice'), t.make_project('blog', 'alice'), t.make_project('mine', 'bob');
update policy.principal set role = 'admin' where name in ('alice', 'bob');
select t.act_as('alice', 'qm_admin');
select throws_ok($$select * from api.find_quality_project()$$, 'QM409', null, 'two projects fit');
select results_eq($$select p.project_name, p.root from api.find_quality_project('shop') as p$$, $$values ('alice/shop', '/srv/shop')$$, 'by its name');
create temporary table opened as select o.session from api.open_quality_session('blog') as o;
grant select on opened to public;
select results_eq($$select p.project_name from opened as o cross join api.find_quality_project(session => o.session) as p$$, array['alice/blog'], 'by its session');
create temporary table begun as select o.session from api.open_quality_session('blog', repeat('a', 40)) as o;
grant select on begun to public;
select results_eq(
    $$select p.base_commit from begun as o cross join api.find_quality_project(session => o.session) as p$$, array[repeat('a', 40)],
    'with the commit on which the session began'
);
select t.act_as('bob', 'qm_admin');
select throws_ok($$select * from api.find_quality_project('shop')$$, 'QM404', null, 'nobody else finds it');
select results_eq($$select p.project_name from opened as o cross join api.find_quality_project(session => o.session) as p$$, array['bob/mine'], 'a session of somebody else means nothing');
select * from finish();
rollback;
