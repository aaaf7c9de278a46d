begin;
select plan(3);

select t.make_catalog();
update catalog.item set status = 'pending' where name = 'convert_time';
select catalog.show_items(array(select t.id from catalog.item as t));
select set_eq($$select c.name from search.card as c$$, array['time__get_current_time', 'tracker__create_ticket', 'tracker__listTickets'], 'a withheld tool has none');
update catalog.item set status = 'approved';
select catalog.show_items(array(select t.id from catalog.item as t));
select is((select count(*) from search.card as c), 4::bigint, 'a live one has');
select lives_ok($$select catalog.show_items('{}')$$, 'none are none');

select * from finish();
rollback;
