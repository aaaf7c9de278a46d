begin;
select plan(5);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.at('2026-06-02 12:00+00');
select t.make_requests(
    'alice', '{"duration_ms": 10}', '{"duration_ms": 20, "is_cached": true}', '{"offered": [], "match": false, "duration_ms": 30}',
    '{"offered": [], "match": false, "error": "query_empty", "duration_ms": 40}', '{"at": "2026-06-01T01:00:00Z"}', '{"at": "2026-01-01T00:00:00Z"}'
);
select t.act_as('alice');
select throws_ok($$select * from api.list_lookup_statistics()$$, '42501', null, 'a user may not');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.list_lookup_statistics(per => 'year')$$, 'QM422', null, 'by the year');
select results_eq(
    $$select s.name, s.queries, s.p50_ms, s.cached, s.empty, s.matched, s.failed from api.list_lookup_statistics() as s$$,
    $$values ('plant', 5::bigint, 20::double precision, 0.2::real, 0.4::real, 0.6::real, 0.2::real)$$, 'the last week, all together'
);
select results_eq(
    $$select s.period, s.queries from api.list_lookup_statistics(per => 'day') as s$$,
    $$values ('2026-06-02 00:00+00'::timestamptz, 4::bigint), ('2026-06-01 00:00+00', 1)$$, 'by the day'
);
select t.act_as_superuser();
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:op", "origins": ["plant"]}]}');
select t.act_as('op', 'qm_operator');
select is_empty($$select * from api.list_lookup_statistics()$$, 'of a hidden table nothing');

select * from finish();
rollback;
