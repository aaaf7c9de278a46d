begin;
select plan(7);

select t.make_principal('alice'), t.make_principal('op', 'operator'), t.make_catalog();
select t.act_as('op', 'qm_operator');
create temporary table begun as select c.call_id from service.call_begin('time__convert_time', 2, 'r', gen_random_uuid()) as c;
grant select on begun to public;
select service.call_end(b.call_id, 'ok', 5) from begun as b;
select t.act_as('alice');
select throws_ok($$select service.store_probe(b.call_id, 0, false) from begun as b$$, '42501', null, 'a user may not');
select t.act_as('op', 'qm_operator');
select throws_ok($$select service.store_probe(-1, 0, true)$$, 'QM404', null, 'an unknown call');
select results_eq($$select service.store_probe(b.call_id, 0, false, 'its result is not what its schema says') from begun as b$$, array[1::real], 'all of its probes failed');
select is((select g.tool #>> '{probes,0,problem}' from api.get_item('{tool}', 'time__convert_time') as g (tool)), 'its result is not what its schema says', 'it is told why');
select t.act_as_superuser();
select is((select t.dishonesty from catalog.item as t where t.name = 'convert_time'), 1::real, 'that comes off its value');
select is((select c.downrank from search.card as c where c.name like '%convert\_time'), 1::real, 'in selections, too');
select is(selection.refresh_utility(), 0, 'a probe counts for no outcome');

select * from finish();
rollback;
