begin;
select plan(6);

select t.make_catalog(), t.make_principal('alice');
select t.at('2030-01-01 10:00+00');
insert into calls.call (id, started_at, principal_id, instance_id, request_id, kind, ref, version, argument_bytes)
select n, core.now(), p.id, gen_random_uuid(), 'r', x.kind, x.id, 1, 0
from policy.principal as p cross join catalog.item as x cross join generate_series(1, 2) as n
where p.name = 'alice' and x.name = 'convert_time';
create function pg_temp.answer(p_call_id bigint, p_hash text) returns table (answer text, answered_by text) language sql as $$
    select a.answer, a.answered_by
    from calls.call as c
    cross join lateral calls.answer_call(c.id, c.started_at, c.principal_id, c.ref, c.version, p_hash::bytea, 'key', false, '{"may_repeat": false}') as a
    where c.id = p_call_id;
$$;
select results_eq($$select * from pg_temp.answer(1, 'h')$$, $$values (null::text, null::text)$$, 'the first is sent');
select throws_ok($$select * from pg_temp.answer(2, 'other')$$, 'QM422', null, 'the key with other arguments');
select throws_ok($$select * from pg_temp.answer(2, 'h')$$, 'QM409', null, 'the first has no end yet');
update calls.call set outcome = 'timeout', ended_at = started_at, duration_ms = 0 where id = 1;
select throws_ok($$select * from pg_temp.answer(2, 'h')$$, 'QM409', null, 'its outcome is unknown');
update calls.answer set body = '"done"';
select results_eq($$select * from pg_temp.answer(2, 'h')$$, $$values ('"done"', 'key')$$, 'its answer is returned');
select results_eq(
    $$select c.outcome, c.attempts, c.answered_by, c.result_bytes from calls.call as c where c.id = 2$$, $$values ('timeout', 0, 'key', 6::bigint)$$,
    'and the second call is complete'
);

select * from finish();
rollback;
