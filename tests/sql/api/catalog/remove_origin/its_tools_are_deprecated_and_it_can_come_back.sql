begin;
select plan(8);

select t.make_catalog(), t.make_principal('op', 'operator');
select api.allow('program', '["true"]');
select t.read_as('op', 'qm_operator');
select api.request_refresh('time');
select is(api.remove_origin('time'), 2, 'two tools');
select is_empty($$select * from api.list_origins() as o where o.name = 'time'$$, 'it is not listed');
select is_empty($$select * from catalog.refresh as r where r.status = 'requested'$$, 'nothing waits for it');
select throws_ok($$select api.remove_origin('time')$$, 'QM404', null, 'it cannot be removed twice');
select throws_ok($$select api.get_origin('time')$$, 'QM404', null, 'nor shown');
select throws_ok($$select api.request_refresh('time')$$, 'QM404', null, 'nor refreshed');
create temporary table again as select api.add_origin('time', 'stdio', command => '{true}') as id;
select is((select o.slug from catalog.origin as o inner join again as a on a.id = o.id), 'time', 'it comes back under its old slug');
select is((select count(*) from api.list_origins() as o where o.name = 'time' and o.status = 'new'), 1::bigint, 'as a new one');

select * from finish();
rollback;
