begin;
select plan(7);

create function pg_temp.score(p_topic real, p_place real, p_confidence text, p_utility real, p_cases real) returns numeric
language sql return round(decisions.rank_score((0.6, 0.25, 0.1, 0.1, 0.3)::decisions.rank_weights, p_topic, p_place, p_confidence, p_utility, p_cases)::numeric, 4);
select is(pg_temp.score(1, null, 'low', 0, null), 0.6333, 'the topic');
select is(pg_temp.score(3, null, 'low', 0, null), 0.6333, 'which counts up to 1');
select is(pg_temp.score(0, 1, 'low', 0, null), 0.2833, 'the place');
select is(pg_temp.score(0, null, 'high', 0, null), 0.1000, 'the confidence');
select is(pg_temp.score(0, null, 'high', -0.5, null), 0.0500, 'the utility, which may be less than nothing');
select is(pg_temp.score(0, null, 'high', 0, 400), 0.4000, 'the cases');
select is(pg_temp.score(0, null, 'high', 0, 4000), 0.4000, 'which count up to 400');

select * from finish();
rollback;
