begin;
select plan(2);

select t.make_origin('o');
select is(catalog.request_refresh(catalog.origin_id('o')), catalog.request_refresh(catalog.origin_id('o')), 'the same refresh');
select is((select count(*) from catalog.refresh as r), 1::bigint, 'one row');

select * from finish();
rollback;
