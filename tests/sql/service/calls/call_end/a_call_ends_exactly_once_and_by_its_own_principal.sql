begin;
select plan(7);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob');
select t.read_as('alice');
select t.at('2026-01-01 00:00+00');
create temporary table begun as select b.call_id from service.call_begin('time__convert_time', 1, 'r', gen_random_uuid()) as b;
grant select on begun to public;
select t.read_as('bob');
select throws_ok($$select service.call_end(b.call_id, 'ok', 1) from begun as b$$, 'QM404', null, 'not by another');
select t.read_as('alice');
select throws_ok($$select service.call_end(b.call_id, 'wonderful', 1) from begun as b$$, '23514', null, 'not with an unknown outcome');
select throws_ok($$select service.call_end(b.call_id, 'pending', 1) from begun as b$$, '23514', null, 'not as pending');
select lives_ok($$select service.call_end(b.call_id, 'tool_error', 12.5, 300, repeat('x', 5000)) from begun as b$$, 'once');
select results_eq(
    $$select c.outcome, c.duration_ms, c.result_bytes, length(c.failure), c.ended_at from calls.call as c$$,
    $$values ('tool_error', 12.5::real, 300::bigint, 2000, '2026-01-01 00:00+00'::timestamptz)$$, 'how it ended'
);
select throws_ok($$select service.call_end(b.call_id, 'ok', 1) from begun as b$$, 'QM404', null, 'not twice');
select throws_ok($$select service.call_end(-1, 'ok', 1)$$, 'QM404', null, 'nor a call that never began');

select * from finish();
rollback;
