begin;
select plan(3);

select t.make_catalog(), t.make_origin('entry', 'none');
select is(catalog.served_origin_id('time'), (select o.id from catalog.origin as o where o.name = 'time'), 'one with a server');
select throws_ok($$select catalog.served_origin_id('entry')$$, 'QM409', null, 'an entry of the catalog');
select throws_ok($$select catalog.served_origin_id('nope')$$, 'QM404', null, 'an unknown origin');

select * from finish();
rollback;
