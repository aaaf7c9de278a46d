begin;
select plan(7);

select t.make_catalog();
create temporary table origin as select o.id from catalog.origin as o where o.name = 'time';
select is_empty($$select p.* from origin as o cross join lateral calls.pass_breaker(o.id, 1) as p$$, 'none is in the way of an origin that never failed');
select t.at('2026-01-01 00:00+00');
select calls.open_breaker(o.id, 'it failed') from origin as o;
select results_eq(
    $$select p.* from origin as o cross join lateral calls.pass_breaker(o.id, 2) as p$$,
    $$values ('2026-01-01 00:00:10+00'::timestamptz, 'it failed')$$, 'nobody during the pause'
);
select t.at('2026-01-01 00:00:10+00');
select is_empty($$select p.* from origin as o cross join lateral calls.pass_breaker(o.id, 3) as p$$, 'one call after it');
select results_eq(
    $$select p.* from origin as o cross join lateral calls.pass_breaker(o.id, 4) as p$$,
    $$values ('2026-01-01 00:02:10+00'::timestamptz, 'it failed; one call is trying it now')$$, 'and no other'
);
select is((select b.probe_call_id from calls.breaker as b), 3::bigint, 'that one is known');
select t.at('2026-01-01 00:02:10+00');
select is_empty($$select p.* from origin as o cross join lateral calls.pass_breaker(o.id, 5) as p$$, 'of a process that is gone the next takes the place');
select is((select b.probe_call_id from calls.breaker as b), 5::bigint, 'that one is known');

select * from finish();
rollback;
