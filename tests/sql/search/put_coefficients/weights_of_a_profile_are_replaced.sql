begin;
select plan(8);

select t.make_kind('memo');
create function pg_temp.kept() returns text language sql as $$
    select string_agg(format('%s %s %s %s', c.profile, c.part, c.feature, c.weight), ', ' order by c.profile, c.part, c.feature) from search.coefficient as c where c.kind = 'memo'
$$;
select is(search.put_coefficients('memo', 'm', '{"score": {"dense": 2, "intercept": -1}, "confidence": {"fit": 0.5}}'), 3, 'as many as are given');
select is(pg_temp.kept(), 'm confidence fit 0.5, m score dense 2, m score intercept -1', 'each with its part');
select is(search.put_coefficients('memo', 'other', '{"large": {"dense": 1}}'), 1, 'another profile');
select is(search.put_coefficients('memo', 'm', '{}'), 0, 'no weights');
select is(pg_temp.kept(), 'other large dense 1', 'delete those of the profile only');
select throws_ok($$select search.put_coefficients('memo', 'm', '{"score": {"nose": 1, "fit": 1}, "ear": {"dense": 1}}')$$, 'QM422', 'unknown features: ear.dense, score.fit, score.nose', 'what is no part or feature is named');
select throws_ok($$select search.put_coefficients('memo', 'm', '{"score": {"dense": "2"}}')$$, 'QM422', 'the weights must be JSON objects of numbers', 'a text is no weight');
select throws_ok($$select search.put_coefficients('memo', 'm', null)$$, 'QM422', null, 'nor is nothing');

select * from finish();
rollback;
