begin;
select plan(4);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('alice');
select throws_ok($$select * from api.lookup_examples('plant', '[{"query": "Betula"}]')$$, '42501', null, 'a user may not');
select t.act_as('op', 'qm_operator');
select ok((select bool_and(cardinality(e.features) = cardinality(api.feature_names('lookup'))) from api.lookup_examples('plant', '[{"query": "Betula"}]') as e), 'one value for each name');
select ok((select bool_and(array_position(e.features, null) is null) from api.lookup_examples('plant', '[{"query": "Betula 17"}, {"query": "x"}, {"query": "?"}]') as e), 'none is null');
select is((select e.features[array_position(api.feature_names('lookup'), 'exact')] from api.lookup_examples('plant', '[{"query": "BETULA  nana"}]') as e where e.id = '2'), 1::real, 'an exact name');

select * from finish();
rollback;
