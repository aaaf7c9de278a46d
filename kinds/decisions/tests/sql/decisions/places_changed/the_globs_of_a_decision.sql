begin;
select plan(5);

select t.make_project('shop', 'alice');
create function pg_temp.places() returns text[] language sql return (select array_agg(format('%s %s', p.role, p.glob) order by p.role, p.glob) from decisions.place as p);
insert into decisions.decision (project_id, pattern, scope_kind, scope_value, polarity, confidence, origin, check_definition, created_at, updated_at, fingerprint)
select p.id, 'x', 'path', 'src/**', 'do', 'low', 'imported', '{"form": "ruff", "except": ["**/gen/**"]}', now(), now(), sha256('x') from projects.project as p;
select is(pg_temp.places(), '{"except **/gen/**","scope src/**"}', 'those of its scope and its check');
select results_eq($$select p.prefix, p.shape from decisions.place as p where p.role = 'scope'$$, $$values ('src/', 'tree')$$, 'in parts');
update decisions.decision set pattern = 'y';
select is(pg_temp.places(), '{"except **/gen/**","scope src/**"}', 'other words change none');
update decisions.decision set scope_value = 'lib/**', check_definition = null;
select is(pg_temp.places(), '{"scope lib/**"}', 'another scope has others');
delete from decisions.decision;
select is(pg_temp.places(), null, 'they go with their decision');

select * from finish();
rollback;
