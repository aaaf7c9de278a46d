begin;
select plan(6);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob');
create temporary table origin as
select o.id, a.id as alice, b.id as bob
from catalog.origin as o
inner join policy.principal as a on a.name = 'alice'
inner join policy.principal as b on b.name = 'bob'
where o.name = 'time';
select t.at('2026-01-01 00:00+00');
select calls.open_breaker(o.id, 'calls of alice failed', o.alice) from origin as o;
select results_eq(
    $$select p.* from origin as o cross join lateral calls.pass_breaker(o.id, 1, o.alice) as p$$,
    $$values ('2026-01-01 00:00:10+00'::timestamptz, 'calls of alice failed')$$, 'the principal waits'
);
select is_empty($$select p.* from origin as o cross join lateral calls.pass_breaker(o.id, 2, o.bob) as p$$, 'another does not');
select t.at('2026-01-01 00:00:05+00');
select calls.open_breaker(o.id, 'it failed') from origin as o;
select t.at('2026-01-01 00:00:12+00');
select results_eq(
    $$select p.* from origin as o cross join lateral calls.pass_breaker(o.id, 3, o.alice) as p$$,
    $$values ('2026-01-01 00:00:15+00'::timestamptz, 'it failed')$$, 'the longer of both counts'
);
select is((select count(*) from calls.breaker as b where b.probe_call_id is not null), 0::bigint, 'and no call tries it meanwhile');
select t.at('2026-01-01 00:00:15+00');
select is_empty($$select p.* from origin as o cross join lateral calls.pass_breaker(o.id, 4, o.alice) as p$$, 'one call tries both');
select calls.judge_call(4, o.id, null, 'ok', 10, o.alice) from origin as o;
select is((select count(*) from calls.breaker as b where b.state = 'closed'), 2::bigint, 'and closes both');

select * from finish();
rollback;
