begin;
select plan(3);

select t.make_catalog(), t.make_principal('alice');
select t.at('2026-03-01 00:00+00');
insert into stats.call_hour (hour, kind, ref, principal_id, outcome, calls, duration_ms, argument_bytes, result_bytes, largest_bytes, durations)
select h.hour, 'tool', x.id, p.id, h.outcome, 10, 0, 0, 0, 0, jsonb_build_object(stats.duration_bucket(h.ms), 10)
from catalog.item as x
cross join policy.principal as p
cross join (
    values ('2026-02-28 00:00+00'::timestamptz, 'ok', 100), ('2026-02-27 00:00+00', 'tool_error', 100), ('2026-02-28 00:00+00', 'timeout', 60000),
        ('2026-01-01 00:00+00', 'ok', 60000)
) as h (hour, outcome, ms)
where x.name = 'convert_time' and p.name = 'alice';
insert into calls.pace (item_id, calls, p95_ms) select x.id, 1, 1 from catalog.item as x where x.name = 'create_ticket';
select is(stats.renew_pace(), 1::bigint, 'one tool was called');
select results_eq($$select x.name, p.calls from calls.pace as p inner join catalog.item as x on x.id = p.item_id$$, $$values ('convert_time', 20::bigint)$$, 'and no other');
select ok((select p.p95_ms from calls.pace as p) between 95 and 105, 'how long it usually takes');

select * from finish();
rollback;
