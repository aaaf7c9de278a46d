begin;
select plan(13);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select t.at('2026-01-02 12:30+00');
insert into stats.call_hour (hour, kind, ref, principal_id, outcome, calls, duration_ms, argument_bytes, result_bytes, largest_bytes, durations)
select h.hour, 'tool', x.id, p.id, h.outcome, h.calls, h.calls * h.ms, h.calls * 10, h.calls * 1000, 1000, jsonb_build_object(stats.duration_bucket(h.ms), h.calls)
from (values
    ('alice', 'time__convert_time', '2026-01-01 10:00+00'::timestamptz, 'ok', 9, 100::float8),
    ('alice', 'time__convert_time', '2026-01-02 10:00+00', 'timeout', 1, 60000),
    ('alice', 'tracker__create_ticket', '2026-01-02 11:00+00', 'ok', 2, 50),
    ('bob', 'time__convert_time', '2026-01-02 12:00+00', 'ok', 90, 10)
) as h (principal, tool, hour, outcome, calls, ms)
inner join policy.principal as p on p.name = h.principal
inner join catalog.item as x on x.public_name = h.tool;
select t.act_as(null);
select throws_ok($$select * from api.list_call_statistics()$$, 'QM403', null, 'nobody sees nothing');
select t.act_as('alice');
select results_eq(
    $$select s.name, s.period, s.calls, s.success_rate, round(s.p50_ms::numeric, -1), round((s.p95_ms / 60000)::numeric, 1), s.mean_ms, s.argument_bytes, s.result_bytes, s.largest_bytes, s.outcomes
    from api.list_call_statistics() as s$$,
    $$values ('time__convert_time', null::timestamptz, 10::bigint, 0.9::real, 100::numeric, 1.0::numeric, 6090::real, 100::bigint, 10000::bigint, 1000::bigint, '{"ok": 9, "timeout": 1}'::jsonb),
        ('tracker__create_ticket', null, 2, 1, 50, 0.0, 50, 20, 2000, 1000, '{"ok": 2}')$$,
    'a user sees what it called itself, the most called first'
);
select results_eq($$select s.name, s.calls from api.list_call_statistics('origin') as s$$, $$values ('time', 10::bigint), ('tracker', 2)$$, 'by origin');
select results_eq($$select s.name, s.calls from api.list_call_statistics('principal') as s$$, $$values ('alice', 12::bigint)$$, 'by principal, itself');
select results_eq(
    $$select s.period, s.calls from api.list_call_statistics('principal', per => 'day') as s$$,
    $$values ('2026-01-02 00:00+00'::timestamptz, 3::bigint), ('2026-01-01 00:00+00', 9)$$, 'by day, the newest first'
);
select results_eq(
    $$select s.calls from api.list_call_statistics('principal', '2026-01-02 10:59+00', '2026-01-02 11:00+00') as s$$,
    $$values (1::bigint)$$, 'from the hour of one moment to before another'
);
select results_eq($$select distinct s.kind from api.list_call_statistics(kinds => '{tool}') as s$$, $$values ('tool')$$, 'by card the kind is told');
select is_empty($$select * from api.list_call_statistics(kinds => '{prompt}')$$, 'only of the kinds that are asked for');
select throws_ok($$select * from api.list_call_statistics('moon')$$, 'QM422', null, 'not by what is not there');
select t.act_as('op', 'qm_operator');
select results_eq($$select s.name, s.calls from api.list_call_statistics() as s$$, $$values ('time__convert_time', 100::bigint), ('tracker__create_ticket', 2)$$, 'an operator sees all');
select t.act_as('boss', 'qm_admin');
select results_eq($$select s.name, s.calls from api.list_call_statistics('principal') as s$$, $$values ('bob', 90::bigint), ('alice', 12)$$, 'and an administrator, who made them');
select t.act_as_superuser();
select t.make_rules('{"rules": [{"effect": "deny", "subject": "role:user", "tools": "tracker__create_ticket"}]}');
select t.act_as('alice');
select results_eq($$select s.name from api.list_call_statistics() as s$$, $$values ('time__convert_time')$$, 'of a tool that it may not see a user sees no statistics');
select is((select sum(s.calls) from api.list_call_statistics('origin') as s), 10::numeric, 'in no sum');

select * from finish();
rollback;
