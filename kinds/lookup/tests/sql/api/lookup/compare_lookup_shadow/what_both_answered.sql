begin;
select plan(2);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.make_requests(
    'alice', '{}',
    '{"shadow": {"profile": "shadow:plant", "key": "1", "score": 0.8, "match": true, "ms": 5}}',
    '{"shadow": {"profile": "shadow:plant", "key": "2", "score": 1, "match": false, "ms": 5}}',
    '{"shadow": {"profile": "shadow:plant", "key": null, "score": null, "match": false, "ms": 5}}',
    '{"offered": [], "match": false, "shadow": {"profile": "shadow:plant", "key": "3", "score": 0.7, "match": true, "ms": 5}}'
);
select t.act_as('alice');
select throws_ok($$select * from api.compare_lookup_shadow()$$, '42501', null, 'a user may not');
select t.act_as('op', 'qm_operator');
select results_eq(
    $$select s.name, s.profile, s.shadow, s.queries, s.same, s.other, s.lost, s.gained, s.matched, s.shadow_matched, s.shadow_p95_ms
      from api.compare_lookup_shadow() as s$$,
    $$values ('plant', 'default', 'shadow:plant', 4::bigint, 0.25::real, 0.25::real, 0.25::real, 0.25::real, 0.75::real, 0.5::real, 5::double precision)$$,
    'side by side, of what both were asked'
);

select * from finish();
rollback;
