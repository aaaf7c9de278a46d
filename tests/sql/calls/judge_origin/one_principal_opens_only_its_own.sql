begin;
select plan(10);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('carol');
create function pg_temp.calls(p_who text, p_count integer, p_outcome text, p_ms real default 10, p_attempts integer default 1) returns void language sql as $$
    insert into calls.call (principal_id, instance_id, request_id, origin_id, kind, ref, version, argument_bytes, started_at, ended_at, outcome, duration_ms, attempts)
    select p.id, gen_random_uuid(), 'r', x.origin_id, x.kind, x.id, 1, 0, core.now() - interval '1 millisecond', core.now(), p_outcome, p_ms, p_attempts
    from policy.principal as p cross join catalog.item as x cross join generate_series(1, p_count)
    where p.name = p_who and x.name = 'convert_time'
$$;
create function pg_temp.judge(p_who text) returns boolean language sql as $$
    select calls.judge_origin(o.id, p.id) from catalog.origin as o cross join policy.principal as p where o.name = 'time' and p.name = p_who
$$;
create function pg_temp.open_for() returns setof text language sql as $$
    select coalesce(p.name, 'everybody') from calls.breaker as b left join policy.principal as p on p.id = b.principal_id where b.state <> 'closed'
$$;
insert into calls.pace (item_id, calls, p95_ms) select x.id, 100, 100 from catalog.item as x where x.name = 'convert_time';
select t.at('2026-01-01 00:00+00');
select pg_temp.calls('alice', 100, 'timeout', 60000);
select ok(pg_temp.judge('alice'), 'however many calls of one principal fail');
select results_eq('select pg_temp.open_for()', array['alice'], 'only that one waits');
select pg_temp.calls('bob', 9, 'ok'), pg_temp.calls('bob', 1, 'timeout');
select ok(not pg_temp.judge('bob'), 'one failure of another who is well otherwise');
select pg_temp.calls('carol', 5, 'ok');
select ok(not pg_temp.judge('carol'), 'changes nothing for others');
select pg_temp.calls('bob', 10, 'died');
select ok(pg_temp.judge('bob'), 'but when most calls of two of three fail');
select results_eq('select pg_temp.open_for() order by 1', array['alice', 'everybody'], 'everybody waits');
select ok(not pg_temp.judge('bob'), 'and then nothing is added');

delete from calls.breaker;
delete from calls.call;
select pg_temp.calls('alice', 5, 'network', 10, 0);
select ok(pg_temp.judge('alice'), 'where calls of one did not even reach it');
select results_eq('select pg_temp.open_for()', array['everybody'], 'it is down for all');
select is((select b.because from calls.breaker as b), '5 of the last 5 calls did not reach it', 'what was seen');

select * from finish();
rollback;
