begin;
select plan(2);

select t.make_catalog();
select ok(calls.announce_breaker(-1) is null, 'nothing of an origin that never failed');
select ok(calls.open_breaker(o.id, 'it failed'), 'opening one announces it') from catalog.origin as o where o.name = 'time';

select * from finish();
rollback;
