begin;
select plan(3);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob');
create function pg_temp.call(p_who text, p_outcome text, p_ended timestamptz, p_attempts integer default 1, p_ms real default 10) returns void language sql as $$
    insert into calls.call (principal_id, instance_id, request_id, origin_id, kind, ref, version, argument_bytes, started_at, ended_at, outcome, duration_ms, attempts)
    select p.id, gen_random_uuid(), 'r', x.origin_id, x.kind, x.id, 1, 0, p_ended, p_ended, p_outcome, p_ms, p_attempts
    from policy.principal as p cross join catalog.item as x
    where p.name = p_who and x.name = 'convert_time'
$$;
create function pg_temp.recent(p_who text) returns table (name text, calls bigint, failures bigint, slow bigint, unreached bigint, worst text) language sql as $$
    select p.name, r.calls, r.failures, r.slow, r.unreached, r.worst
    from catalog.origin as o
    cross join lateral calls.count_recent(o.id, (select w.id from policy.principal as w where w.name = p_who)) as r
    inner join policy.principal as p on p.id = r.principal_id
    where o.name = 'time' order by 1;
$$;
insert into calls.pace (item_id, calls, p95_ms) select x.id, 100, 100 from catalog.item as x where x.name = 'convert_time';
select t.at('2030-01-01 10:00+00');
select pg_temp.call('alice', 'ok', core.now(), 1, 300000), pg_temp.call('alice', 'network', core.now(), 0), pg_temp.call('alice', 'network', core.now()), pg_temp.call('alice', 'died', core.now());
select pg_temp.call('alice', 'died', core.now() - interval '1 day'), pg_temp.call('alice', 'auth', core.now()), pg_temp.call('bob', 'ok', core.now());
select results_eq($$select * from pg_temp.recent('alice')$$, $$values ('alice', 4::bigint, 3::bigint, 1::bigint, 1::bigint, 'network')$$, 'of one principal');
select results_eq($$select r.name, r.calls, r.worst from pg_temp.recent(null) as r$$, $$values ('alice', 4::bigint, 'network'), ('bob', 1, null)$$, 'of all');
insert into calls.breaker (origin_id, state, because, trips, opened_at, open_until, closed_at) select o.id, 'closed', 'x', 1, core.now(), core.now(), core.now() from catalog.origin as o where o.name = 'time';
select is_empty($$select * from pg_temp.recent(null)$$, 'nothing before the breaker closed');

select * from finish();
rollback;
