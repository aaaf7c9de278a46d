begin;
select plan(3);

select t.make_principal('op', 'operator'), t.make_catalog();
select catalog.decide_tools(array[t.id], 'quarantined', '', null) from catalog.tool as t where t.name = 'convert_time';
select t.act_as('op', 'qm_operator');
select throws_ok($$select catalog.tool_id('time__nothing')$$, 'QM404', null, 'absent');
select throws_ok($$select catalog.tool_id(null)$$, 'QM404', null, 'null');
select is((select t.name from catalog.tool as t where t.id = catalog.tool_id('time__convert_time')), 'convert_time', 'whatever its status');

select * from finish();
rollback;
