begin;
select plan(4);

select t.make_catalog();
select t.at('2027-01-01 10:00+00');
select catalog.put_repair(i.origin_id, i.name, '{"title": "Early"}', false, '', false) from catalog.item as i where i.name = 'convert_time';
select t.at('2027-01-01 12:00+00');
select catalog.put_repair(i.origin_id, i.name, '{"title": "Late"}', false, '', false) from catalog.item as i where i.name = 'convert_time';
select catalog.put_repair(i.origin_id, i.name, '{"title": "Later"}', false, '', false) from catalog.item as i where i.name = 'create_ticket';
select is(catalog.restore_repairs('2027-01-01 11:00+00', 'x', null), 2, 'two repairs');
select results_eq(
    $$select i.name, i.definition ->> 'title' from catalog.item as i where i.name in ('convert_time', 'create_ticket') order by i.name$$,
    $$values ('convert_time', 'Early'), ('create_ticket', null)$$, 'are as they were'
);
select is(catalog.restore_repairs('2027-01-01 11:00+00', 'x', null), 0, 'nothing is left to do');
select is((select max(r.version) from catalog.repair as r where r.tool = 'convert_time'), 3, 'as new versions');

select * from finish();
rollback;
