begin;
select plan(2);

select t.make_catalog();
select ok(proxy.announce_breaker(-1) is null, 'nothing of an origin that never failed');
select ok(proxy.open_breaker(o.id, 'it failed'), 'opening one announces it') from catalog.origin as o where o.name = 'time';

select * from finish();
rollback;
