begin;
select plan(4);

select t.make_catalog();
select catalog.request_refresh(catalog.origin_id('time'));
select is(catalog.remove_origin(catalog.origin_id('time')), 2, 'its two items');
select results_eq($$select o.name, o.status = 'removed' from catalog.origin as o order by 1$$, $$values ('time', true), ('tracker', false)$$, 'the other stays');
select is_empty($$select from catalog.refresh as r inner join catalog.origin as o on o.id = r.origin_id where o.name = 'time'$$, 'it is not read again');
select set_eq($$select c.name from search.card as c$$, array['tracker__create_ticket', 'tracker__listTickets'], 'its items are not found');

select * from finish();
rollback;
