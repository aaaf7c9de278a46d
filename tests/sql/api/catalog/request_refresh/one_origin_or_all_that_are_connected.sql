begin;
select plan(6);

select t.make_catalog(), t.make_origin('entry', 'none'), t.make_principal('op', 'operator');
select t.read_as('op', 'qm_operator');
select results_eq($$select r.origin from api.request_refresh('time') as r$$, array['time'], 'one');
select results_eq($$select r.origin from api.request_refresh() as r$$, array['time', 'tracker'], 'all');
select is((select count(*) from catalog.refresh as r), 2::bigint, 'an open one is not doubled');
select throws_ok($$select * from api.request_refresh('entry')$$, 'QM409', null, 'an entry without connection');
select throws_ok($$select * from api.request_refresh('nope')$$, 'QM404', null, 'an unknown origin');

select t.act_as_superuser();
update catalog.origin as o set transport = 'http', url = 'http://tracker.example/mcp' where o.name = 'tracker';
create temporary table before as select o.id, o.revision from catalog.origin as o;
select t.read_as('op', 'qm_operator');
select api.request_refresh(anew => true);
select t.act_as_superuser();
select results_eq(
    $$select o.name from catalog.origin as o inner join before as b using (id) where o.revision > b.revision$$,
    array['tracker'], 'a new session is begun, but no program is started anew'
);

select * from finish();
rollback;
