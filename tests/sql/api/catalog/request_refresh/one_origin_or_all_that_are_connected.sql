begin;
select plan(5);

select t.make_catalog(), t.make_origin('entry', 'none'), t.make_principal('op', 'operator');
select t.read_as('op', 'qm_operator');
select results_eq($$select r.origin from api.request_refresh('time') as r$$, array['time'], 'one');
select results_eq($$select r.origin from api.request_refresh() as r$$, array['time', 'tracker'], 'all');
select is((select count(*) from catalog.refresh as r), 2::bigint, 'an open one is not doubled');
select throws_ok($$select * from api.request_refresh('entry')$$, 'QM409', null, 'an entry without connection');
select throws_ok($$select * from api.request_refresh('nope')$$, 'QM404', null, 'an unknown origin');

select * from finish();
rollback;
