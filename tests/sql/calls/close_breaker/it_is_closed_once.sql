begin;
select plan(3);

select t.make_catalog();
create temporary table origin as select o.id from catalog.origin as o where o.name = 'time';
select ok(not calls.close_breaker(o.id), 'one that never opened is closed') from origin as o;
select calls.open_breaker(o.id, 'it failed') from origin as o;
select ok(calls.close_breaker(o.id), 'one that is open is closed') from origin as o;
select ok(not calls.close_breaker(o.id), 'and then it is') from origin as o;

select * from finish();
rollback;
