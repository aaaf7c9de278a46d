begin;
select plan(5);

select t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select set_config('t.a', t.make_evaluation('a', '{"q1": 0.5, "q2": 0.1, "q3": 0.9, "only a": 1}')::text, true);
select set_config('t.b', t.make_evaluation('b', '{"q1": 0.7, "q2": 0.3, "q3": 1.1, "only b": 0}')::text, true);
select set_config('t.c', t.make_evaluation('c', '{"elsewhere": 1}')::text, true);
select results_eq(
    $$select c.metric, c.queries, round(c.value_a::numeric, 6), round(c.value_b::numeric, 6), round(c.difference::numeric, 6)
      from api.compare_evaluations(current_setting('t.a')::bigint, current_setting('t.b')::bigint) as c$$,
    $$values ('MRR', 3, 0.500000, 0.700000, 0.200000)$$, 'over the queries that both have'
);
select ok(
    (select abs(c.low - 0.2) < 1e-9 and abs(c.high - 0.2) < 1e-9 from api.compare_evaluations(current_setting('t.a')::bigint, current_setting('t.b')::bigint) as c),
    'where every query gains the same, there is no doubt about the gain'
);
select throws_ok($$select * from api.compare_evaluations(current_setting('t.a')::bigint, -1)$$, 'QM404', null, 'an unknown run');
select throws_ok($$select * from api.compare_evaluations(current_setting('t.a')::bigint, current_setting('t.c')::bigint)$$, 'QM422', null, 'no query in common');
select throws_ok($$select * from api.compare_evaluations(current_setting('t.a')::bigint, current_setting('t.b')::bigint, resamples => 5)$$, 'QM422', null, 'too few resamples');

select * from finish();
rollback;
