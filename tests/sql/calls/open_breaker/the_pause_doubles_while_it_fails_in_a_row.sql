begin;
select plan(8);

select t.make_catalog();
create temporary table origin as select o.id from catalog.origin as o where o.name = 'time';
select t.at('2026-01-01 00:00+00');
select ok(calls.open_breaker(o.id, 'first'), 'it was closed') from origin as o;
select results_eq($$select b.state, b.trips, b.open_until from calls.breaker as b$$, $$values ('open', 1, '2026-01-01 00:00:10+00'::timestamptz)$$, 'a short pause');
select ok(not calls.open_breaker(o.id, 'second'), 'others who see the same change nothing') from origin as o;
select results_eq($$select b.because, b.trips from calls.breaker as b$$, $$values ('first', 1)$$, 'it is as it was');
update calls.breaker set state = 'half_open', probe_call_id = 7, probe_until = 'infinity';
select t.at('2026-01-01 00:01+00');
select ok(calls.open_breaker(o.id, 'again'), 'a failed trial opens it anew') from origin as o;
select results_eq(
    $$select b.because, b.trips, b.opened_at, b.open_until, b.probe_call_id from calls.breaker as b$$,
    $$values ('again', 2, '2026-01-01 00:00+00'::timestamptz, '2026-01-01 00:01:20+00'::timestamptz, null::bigint)$$, 'for twice as long'
);
update calls.breaker set state = 'half_open', probe_call_id = 7, probe_until = 'infinity', trips = 40;
select calls.open_breaker(o.id, 'again') from origin as o;
select is((select b.open_until from calls.breaker as b), '2026-01-01 00:06+00'::timestamptz, 'up to setting breaker.longest_pause');
update calls.breaker set state = 'closed', closed_at = core.now();
select calls.open_breaker(o.id, 'later') from origin as o;
select results_eq($$select b.trips, b.open_until from calls.breaker as b$$, $$values (1, '2026-01-01 00:01:10+00'::timestamptz)$$, 'and one that was well again starts anew');

select * from finish();
rollback;
