begin;
select plan(9);

select t.make_catalog(), t.make_principal('alice');
create function pg_temp.calls(p_count integer, p_outcome text, p_ms real default 10, p_ended timestamptz default core.now()) returns void language sql as $$
    insert into calls.call (principal_id, instance_id, request_id, origin_id, kind, ref, version, argument_bytes, started_at, ended_at, outcome, duration_ms)
    select p.id, gen_random_uuid(), 'r', x.origin_id, x.kind, x.id, 1, 0, p_ended - interval '1 millisecond', p_ended, p_outcome, p_ms
    from policy.principal as p cross join catalog.item as x cross join generate_series(1, p_count)
    where p.name = 'alice' and x.name = 'convert_time'
$$;
create function pg_temp.judge() returns boolean language sql as $$select calls.judge_origin(o.id, p.id) from catalog.origin as o cross join policy.principal as p where p.name = 'alice' and o.name = 'time'$$;
select t.at('2026-01-01 00:00+00');
select pg_temp.calls(50, 'timeout', 10, core.now() - interval '61 seconds'), pg_temp.calls(50, 'auth'), pg_temp.calls(50, 'unavailable');
select ok(not pg_temp.judge(), 'not by what is long past, or is no failure of its own');
select pg_temp.calls(4, 'network');
select ok(not pg_temp.judge(), 'not by few');
select pg_temp.calls(6, 'ok'), pg_temp.calls(1, 'timeout');
select ok(not pg_temp.judge(), 'not while most are well');
select pg_temp.calls(1, 'network');
update core.setting set value = '0' where name = 'breaker.failures';
select ok(not pg_temp.judge(), 'not where that is switched off');
update core.setting set value = '5' where name = 'breaker.failures';
select ok(pg_temp.judge(), 'but by half of them');
select is((select b.because from calls.breaker as b), '6 of the last 12 calls of this principal failed, most of them with network', 'what was seen');
select ok(not pg_temp.judge(), 'once');
select t.at('2026-01-01 00:00:30+00');
select calls.close_breaker(o.id) from catalog.origin as o where o.name = 'time';
select ok(not pg_temp.judge(), 'what was before it closed counts no more');
select t.at('2026-01-01 00:00:31+00');
select pg_temp.calls(5, 'died');
select ok(pg_temp.judge(), 'what comes after does');

select * from finish();
rollback;
