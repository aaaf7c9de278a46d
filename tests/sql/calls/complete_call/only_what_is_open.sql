begin;
select plan(6);

select t.make_catalog(), t.make_principal('alice');
select t.act_as('alice');
create temporary table begun as select b.call_id from service.call_begin('time__convert_time', 1, 'r', gen_random_uuid()) as b;
grant select on begun to public;
select t.act_as_superuser();
create function pg_temp.complete(p_outcome text, p_principal_id bigint) returns boolean language sql as $$
    select calls.complete_call(b.call_id, null, p_principal_id, p_outcome, '2026-01-02 00:00+00', 5, 6, repeat('x', 3000), 2) from begun as b;
$$;
create temporary table who as select p.id from policy.principal as p where p.name = 'alice';
select is(pg_temp.complete('ok', 0), false, 'not another''s');
select is(pg_temp.complete('lost', w.id), true, 'given up') from who as w;
select is(pg_temp.complete('timeout', w.id), true, 'and told late') from who as w;
select is(pg_temp.complete('ok', w.id), false, 'not again') from who as w;
select results_eq(
    $$select c.outcome, c.ended_at, c.duration_ms, c.result_bytes, length(c.failure), c.attempts from calls.call as c$$,
    $$values ('timeout', '2026-01-02 00:00+00'::timestamptz, 5::real, 6::bigint, 2000, 2)$$, 'what was told first'
);
select is(
    calls.complete_call(-1, null, (select w.id from who as w), 'ok', '2026-01-02 00:00+00', 5, 6, null, 1), false, 'a call that never began'
);

select * from finish();
rollback;
