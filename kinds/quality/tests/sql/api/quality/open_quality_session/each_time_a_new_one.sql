begin;
select plan(5);

select t.make_project('shop', 'alice'), t.make_principal('mallory');
select t.at('2030-01-01');
select t.act_as('alice');
create temporary table opened as select o.* from api.open_quality_session('shop', repeat('a', 40)) as o;
select results_eq($$select o.project_name, o.root, o.started_at from opened as o$$, $$values ('shop', '/srv/shop', '2030-01-01'::timestamptz)$$, 'where it works');
select matches((select o.session from opened as o), '^[0-9a-f]{32}$', 'its handle');
select isnt((select o.session from api.open_quality_session() as o), (select o.session from opened as o), 'another one is a new one');
select throws_ok($$select * from api.open_quality_session(base_commit => 'HEAD')$$, '23514', null, 'a commit is a hash');
select t.act_as('mallory');
select throws_ok($$select * from api.open_quality_session('shop')$$, 'QM404', null, 'only members work in a project');

select * from finish();
rollback;
