begin;
select plan(4);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.make_requests(
    'alice', '{"query_hash": "01"}', '{"query_hash": "02", "offered": []}', '{"query_hash": "02", "offered": [], "query": "elk"}',
    '{"query_hash": "03", "offered": []}', '{"query_hash": "04", "offered": [], "error": "query_too_long"}'
);
select t.act_as('alice');
select throws_ok($$select * from api.list_unanswered_lookups('plant')$$, '42501', null, 'a user may not');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.list_unanswered_lookups('nowhere')$$, 'QM404', null, 'an unknown table');
select results_eq(
    $$select u.query, u.query_hash, u.times from api.list_unanswered_lookups('plant') as u$$,
    $$values ('elk', '02', 2::bigint), (null, '03', 1)$$, 'the most frequent first; what was wrong is none'
);
select is((select count(*) from api.list_unanswered_lookups('plant', maximum => 1)), 1::bigint, 'no more than asked for');

select * from finish();
rollback;
