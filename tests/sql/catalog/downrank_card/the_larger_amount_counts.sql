begin;
select plan(2);

select t.make_catalog();
update catalog.item set downrank = 0.25, dishonesty = 0.5 where name = 'convert_time';
select catalog.downrank_card(i.id) from catalog.item as i where i.name = 'convert_time';
select is((select c.downrank from search.card as c where c.name = 'time__convert_time'), 0.5::real, 'what probes found');
update catalog.item set downrank = 0.75 where name = 'convert_time';
select catalog.downrank_card(i.id) from catalog.item as i where i.name = 'convert_time';
select is((select c.downrank from search.card as c where c.name = 'time__convert_time'), 0.75::real, 'what an operator set');

select * from finish();
rollback;
