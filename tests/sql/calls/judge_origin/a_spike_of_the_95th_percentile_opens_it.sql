begin;
select plan(5);

select t.make_catalog(), t.make_principal('alice');
create function pg_temp.calls(p_count integer, p_outcome text, p_ms real default 10, p_ended timestamptz default core.now()) returns void language sql as $$
    insert into calls.call (principal_id, instance_id, request_id, origin_id, kind, ref, version, argument_bytes, started_at, ended_at, outcome, duration_ms)
    select p.id, gen_random_uuid(), 'r', x.origin_id, x.kind, x.id, 1, 0, p_ended - interval '1 millisecond', p_ended, p_outcome, p_ms
    from policy.principal as p cross join catalog.item as x cross join generate_series(1, p_count)
    where p.name = 'alice' and x.name = 'convert_time'
$$;
create function pg_temp.judge() returns boolean language sql as $$select calls.judge_origin(o.id, p.id) from catalog.origin as o cross join policy.principal as p where p.name = 'alice' and o.name = 'time'$$;
insert into calls.pace (item_id, calls, p95_ms) select x.id, 100, 100 from catalog.item as x where x.name = 'convert_time';
select t.at('2026-01-01 00:00+00');
select pg_temp.calls(4, 'ok', 3000);
select ok(not pg_temp.judge(), 'not by few');
select pg_temp.calls(1, 'cancelled', 3000), pg_temp.calls(95, 'ok', 1900);
select ok(not pg_temp.judge(), 'not by one in twenty');
select pg_temp.calls(1, 'ok', 3000);
select ok(pg_temp.judge(), 'but by more');
select is((select b.because from calls.breaker as b), '6 of the last 101 calls of this principal took more than 5 times as long as usual', 'what was seen');
select is((select b.state from calls.breaker as b), 'open', 'it is open');

select * from finish();
rollback;
