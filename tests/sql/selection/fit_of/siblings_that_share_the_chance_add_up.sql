begin;
select plan(6);

create function pg_temp.fit_of(variadic p_probabilities real[]) returns numeric language sql as $$
    select round(selection.fit_of(array_agg((1, 1, 0, null, 0.5, null, null, null, 0, 1, p.probability, null, null, 'tool', null)::selection.candidate), 'a b c')::numeric, 2)
    from unnest(p_probabilities) as p (probability);
$$;
select is(pg_temp.fit_of(0.3, 0.3, null, 0.3), 0.90, 'three siblings, one of which it is');
select is(pg_temp.fit_of(0.2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1), 0.60, 'five count, so that a long list says nothing by its length');
select is(pg_temp.fit_of(null, null), null, 'nothing was learned');

select t.make_principal('alice');
select search.put_model('test-8', 8, true);
select search.put_coefficients('tool', 'test-8', '{"score": {}, "confidence": {"fit": 1, "fit_expected": 1, "fit_odds": 1, "fit_words": -1}}');
-- 1 + ln(0.8) + ln(2) - ln(4) = 0.0837
select is(pg_temp.fit_of(0.4, 0.4), 0.52, 'with learned weights: chance, odds and words');
select cmp_ok(pg_temp.fit_of(0.4, 0.4), '>', pg_temp.fit_of(0.1, 0.1), 'more right cards to expect: more likely that one fits');
select is(pg_temp.fit_of(null, null), null, 'without a probability nothing is said');

select * from finish();
rollback;
