begin;
select plan(7);

-- 400 values, half 0 and half 1: mean 0.5, standard error 0.025, so the interval is near 0.451 to 0.549.
select set_config('t.values', (select array_agg(i % 2)::text from generate_series(1, 400) as i), true);
select is((select b.mean from stats.bootstrap_interval(current_setting('t.values')::double precision []) as b), 0.5::double precision, 'the mean');
select ok((select abs(b.low - 0.451) < 0.008 from stats.bootstrap_interval(current_setting('t.values')::double precision []) as b), 'its lower bound');
select ok((select abs(b.high - 0.549) < 0.008 from stats.bootstrap_interval(current_setting('t.values')::double precision []) as b), 'its upper bound');
select results_eq(
    $$select * from stats.bootstrap_interval(current_setting('t.values')::double precision [])$$,
    $$select * from stats.bootstrap_interval(current_setting('t.values')::double precision [])$$, 'the same again'
);
select results_ne(
    $$select * from stats.bootstrap_interval(current_setting('t.values')::double precision [])$$,
    $$select * from stats.bootstrap_interval(current_setting('t.values')::double precision [], p_seed => 2)$$, 'another seed draws otherwise'
);
select throws_ok($$select * from stats.bootstrap_interval('{}')$$, 'QM422', null, 'of nothing there is no interval');
select throws_ok($$select * from stats.bootstrap_interval('{1, null}')$$, 'QM422', null, 'nor of what was not measured');

select * from finish();
rollback;
