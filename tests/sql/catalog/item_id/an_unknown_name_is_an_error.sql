begin;
select plan(3);

select t.make_principal('op', 'operator'), t.make_catalog();
select catalog.decide_items(array[t.id], 'quarantined', '', null) from catalog.item as t where t.name = 'convert_time';
select t.read_as('op', 'qm_operator');
select throws_ok($$select catalog.item_id('{tool}', 'time__nothing')$$, 'QM404', null, 'absent');
select throws_ok($$select catalog.item_id('{tool}', null)$$, 'QM404', null, 'null');
select is((select t.name from catalog.item as t where t.id = catalog.item_id('{tool}', 'time__convert_time')), 'convert_time', 'whatever its status');

select * from finish();
rollback;
