begin;
select plan(3);

select t.make_catalog(), t.make_principal('alice');
delete from search.coefficient;
select search.put_model('test-4', 4, true);
select search.put_coefficients('tool', 'test-4', '{"confidence": {"odds": 2, "best": -1, "dense": 3, "intercept": -4}}');
select t.read_as('alice');
create temporary table explained as
select search.explain_confidence('tool', array_fill(0.5, array[cardinality(search.feature_names('tool'))])::real[], '{1,0,0,0,0,1.5,0}') as terms;
select is((select array_agg(k.name order by k.name) from explained as e cross join jsonb_object_keys(e.terms) as k (name)), '{best,dense,intercept,odds}', 'every weight');
select is((select sum((f.term ->> 'share')::numeric) from explained as e cross join jsonb_each(e.terms) as f (name, term)), -2.0000, 'the sum');
select is(search.explain_confidence('tool', '{}', null), '{}', 'a card without a probability has no terms');

select * from finish();
rollback;
