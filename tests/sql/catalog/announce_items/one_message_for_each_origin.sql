begin;
select plan(2);

select t.make_catalog();
select is(catalog.announce_items(array(select i.id from catalog.item as i)), 2, 'four items of two origins');
select is(catalog.announce_items('{}'), 0, 'no items');

select * from finish();
rollback;
