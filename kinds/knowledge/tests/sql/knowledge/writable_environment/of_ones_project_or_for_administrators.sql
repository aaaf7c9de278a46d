begin;
select plan(4);

select t.make_project('shop', 'alice'), t.make_principal('bob', 'operator'), t.make_principal('boss', 'admin');
insert into knowledge.environment (folder, project_id, indexed_at)
select '/srv/all', null, core.now() union all select '/srv/shop', p.id, core.now() from projects.project as p;
create temporary table given as select e.folder, e.id from knowledge.environment as e;
create function pg_temp.written(p_folder text) returns text language sql security definer as $$
    select (knowledge.writable_environment(g.id)).folder from given as g where g.folder = p_folder
$$;
select t.act_as('alice', 'qm_operator');
select is(pg_temp.written('/srv/shop'), '/srv/shop', 'that of a project, for its members');
select throws_ok($$select pg_temp.written('/srv/all')$$, 'QM404', null, 'that for everybody, not for operators');
select t.act_as('bob', 'qm_operator');
select throws_ok($$select pg_temp.written('/srv/shop')$$, 'QM404', null, 'others do not change that of a project');
select t.act_as('boss', 'qm_admin');
select is(pg_temp.written('/srv/all'), '/srv/all', 'administrators change that for everybody');

select * from finish();
rollback;
