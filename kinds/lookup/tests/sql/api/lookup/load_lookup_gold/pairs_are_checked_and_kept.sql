begin;
select plan(8);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('alice');
select throws_ok($$select * from api.load_lookup_gold('plant', '[]')$$, '42501', null, 'a user may not');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.load_lookup_gold('nowhere', '[]')$$, 'QM404', null, 'an unknown table');
select throws_ok($$select * from api.load_lookup_gold('plant', '{}')$$, 'QM422', null, 'no array');
select throws_ok($$select * from api.load_lookup_gold('plant', '[{"query": "x", "expected": []}, {"query": "", "expected": []}]')$$, 'QM422', null, 'an empty query');
select throws_ok($$select * from api.load_lookup_gold('plant', '[{"query": "x", "expected": "1"}]')$$, 'QM422', null, 'ids that are no list');
select results_eq(
    $$select * from api.load_lookup_gold('plant', '[{"query": "B. nana", "expected": ["2"]}, {"query": "B. nana", "expected": ["2"]}, {"query": "?", "expected": ["77"]}]')$$,
    $$values (2, 1)$$, 'two pairs, one of a row that is not there'
);
select results_eq($$select * from api.load_lookup_gold('plant', '[{"query": "B. nana", "expected": ["2", "3"]}, {"query": "x", "expected": []}]', false)$$, $$values (3, 1)$$, 'one more, one anew');
select results_eq($$select * from api.load_lookup_gold('plant', '[{"query": "x", "expected": []}]')$$, $$values (1, 0)$$, 'the others go');

select * from finish();
rollback;
