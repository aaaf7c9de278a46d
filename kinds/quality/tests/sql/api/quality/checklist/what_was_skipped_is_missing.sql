begin;
select plan(17);

select t.make_project('shop', 'alice'), t.make_project('blog', 'alice');
select t.act_as('alice');
select throws_ok($$select * from api.checklist('holiday', project => 'shop')$$, 'QM422', null, 'an unknown type of task');
select ok((select count(*) > 0 from api.checklist(project => 'shop') as c where c.tool = 'tapps_quality_gate' and c.state = 'missing'), 'nothing was done');

-- A hash is md5 twice, cut: as t.scan_file stores it.
create function pg_temp.h(p_text text) returns text language sql as $$select left(md5(p_text) || md5(p_text), 40)$$;
create function pg_temp.missing(p_changed jsonb, p_type text default 'bugfix') returns text language sql as $$
    select string_agg(c.tool || coalesce(' ' || c.path, '') || ' ' || c.reason, '; ' order by c.tool, c.reason)
    from api.checklist(p_type, changed => p_changed, project => 'shop') as c
    where c.state = 'missing';
$$;
create function pg_temp.file(p_path text, p_text text, p_imports jsonb default '[]') returns jsonb language sql as $$
    select jsonb_build_object(p_path, jsonb_build_object('blob_hash', pg_temp.h(p_text), 'imports', p_imports))
$$;
select t.scan_file('alice', 'a.py', t.scans(), 'one', 'shop');
select * from api.gate('a.py', project => 'shop');
select is(pg_temp.missing(pg_temp.file('a.py', 'one')), null, 'the gate passed for the file as it is');
select ok(pg_temp.missing(pg_temp.file('a.py', 'two')) like '%gate saw a.py as %, but the file is now%', 'the file was changed afterwards');
select ok(pg_temp.missing(pg_temp.file('b.py', 'one')) like '%tapps_quality_gate b.py%never used%', 'another file was changed');
select ok(pg_temp.missing(pg_temp.file('a.py', 'one') || pg_temp.file('b.py', 'b')) like '%gate b.py%', 'one of two files was judged');
select ok(pg_temp.missing(pg_temp.file('a.py', 'one')) is null, 'a second look changes nothing');

-- The gate failed.
select t.scan_file('alice', 'a.py', t.scans('{}', '{"bandit": "absent"}'), 'bad', 'shop');
select * from api.gate('a.py', project => 'shop');
select ok(pg_temp.missing(pg_temp.file('a.py', 'bad')) like '%the gate did not pass for a.py%', 'a failed gate is not enough');
select is(pg_temp.missing(pg_temp.file('a.py', 'one')), null, 'back to the version that passed');

-- Another project, another session.
select t.scan_file('alice', 'c.py', t.scans(), 'c', 'blog');
select * from api.gate('c.py', project => 'blog');
select ok(pg_temp.missing(pg_temp.file('c.py', 'c')) like '%gate c.py%', 'a gate of another project');
create temporary table opened as select o.session from api.open_quality_session('shop') as o;
select ok(
    (select count(*) > 0 from opened as o cross join api.checklist('bugfix', o.session, pg_temp.file('a.py', 'one'), 'shop') as c where c.state = 'missing'),
    'a gate of another session'
);
select throws_ok($$select * from api.checklist('bugfix', 'invented', project => 'shop')$$, 'QM404', null, 'a session that is not there');

-- Libraries.
select * from api.gate('a.py', project => 'shop');
select t.scan_file('alice', 'a.py', t.scans(), 'one', 'shop');
select * from api.gate('a.py', project => 'shop');
select ok(pg_temp.missing(pg_temp.file('a.py', 'one', '["fastapi", "Redis"]')) like '%uses ''Redis''%uses ''fastapi''%', 'libraries that nobody looked up');
select service.record_step('tapps_lookup_docs', subject => 'FastAPI', project => 'shop');
select service.record_step('tapps_lookup_docs', subject => 'redis', project => 'shop');
select is(pg_temp.missing(pg_temp.file('a.py', 'one', '["fastapi", "Redis"]')), null, 'until they are');

-- Configuration.
select ok(pg_temp.missing(pg_temp.file('Dockerfile', 'x'), 'config') like 'tapps_validate_config Dockerfile%', 'configuration is validated');
select service.record_step('tapps_validate_config', 'Dockerfile', pg_temp.h('x'), project => 'shop');
select is(pg_temp.missing(pg_temp.file('Dockerfile', 'x'), 'config'), null, 'and then it is done');
select is(pg_temp.missing(pg_temp.file('README.md', 'x')), null, 'a text needs no gate');

select * from finish();
rollback;
