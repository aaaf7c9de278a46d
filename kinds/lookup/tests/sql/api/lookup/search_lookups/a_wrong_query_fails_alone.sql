begin;
select plan(7);

select t.make_lookups(), t.make_principal('alice');
select t.act_as('alice');
select results_eq(
    $$select s.number, s.rows -> 0 ->> 'id', s.error ->> 'slug'
      from api.search_lookups('plant', '["Betula nana", "", {"query": "B. pendula", "properties": {"family": "Poaceae"}}, 7, {"query": "x", "limit": 1e12}, {"query": "x", "threshold": 1e300}]') as s$$,
    $$values (1, '2', null), (2, null, 'query_empty'), (3, '3', null), (4, null, 'query_empty'), (5, null, 'argument_invalid'), (6, null, 'argument_invalid')$$,
    'in the order given'
);
select is((select s.rows from api.search_lookups('plant', '["Xyzzy quux"]') as s), '[]', 'nothing found is no error');
select is_empty($$select * from api.search_lookups('plant', '[]')$$, 'no queries');
select throws_ok($$select * from api.search_lookups('plant', '{}')$$, 'QM422', null, 'no array');
select throws_ok($$select * from api.search_lookups('nowhere', '[]')$$, 'QM404', null, 'an unknown table');
select throws_ok($$select * from api.search_lookups('plant', (select jsonb_agg('x'::text) from generate_series(1, 5000)))$$, 'QM413', null, '5,000 queries');
select is(
    (select s.rows -> 0 ->> 'score' from api.search_lookups('plant', '["Betula nana"]') as s),
    (select s.score::text from api.search_lookup('plant', 'Betula nana', k_final => 5) as s where s.rank = 1), 'the same answer as alone'
);

select * from finish();
rollback;
