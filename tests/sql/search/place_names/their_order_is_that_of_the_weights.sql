begin;
select plan(2);

select is(search.place_names(), '{odds,odds_squared,odds_high,lead,rank,best,nearest}', 'lookup.answer counts on the first three');
delete from search.coefficient;
select search.put_coefficients('tool', 'm', '{"confidence": {"nearest": 7, "odds": 1, "intercept": -2, "dense": 3}}');
select results_eq(
    $$select c.confidence_place, c.confidence_intercept, c.confidence_weights[array_position(c.features, 'dense')], c.has_confidence from search.coefficients('tool', '{m}') as c$$,
    $$values ('{1,0,0,0,0,0,7}'::real[], -2::real, 3::real, true)$$, 'each weight is in its place'
);

select * from finish();
rollback;
