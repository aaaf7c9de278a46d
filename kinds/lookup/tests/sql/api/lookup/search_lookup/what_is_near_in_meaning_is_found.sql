begin;
select plan(13);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('op', 'operator'), search.put_model('small', 3, true);
select t.act_as('op', 'qm_operator');
select api.configure_lookup_vectors('plant', true, '{"score": {"sem": 30, "intercept": -10}}');
select t.act_as_superuser();
-- What hangs lies along the first axis, all else along the second; one name waits still.
select search.store_embeddings('small', array['lookup'], array[c.text_hash], array[case when c.name in ('Betula pendula', 'vårtbjörk') then '[1,0,0]' else '[0,1,0]' end])
from search.card as c
where c.kind = 'lookup' and c.origin = 'plant' and c.name <> 'Salix repens';
select t.act_as('alice');
select is_empty($$select * from api.search_lookup('plant', 'weeping tree', threshold => 0) as s where s.id = '1'$$, 'no letter in common');
select is((select s.id from api.search_lookup('plant', 'weeping tree', threshold => 0, query_vector => '[1,0,0]') as s where s.rank = 1), '1', 'near in meaning');
select is((select s.scores ->> 'sem' from api.search_lookup('plant', 'weeping tree', threshold => 0, query_vector => '[1,0,0]') as s where s.rank = 1), '1.0000', 'how near is told');
select ok((select s.scores -> 'features' -> 'sem' ->> 'share' = '30.0000' and s.scores ->> 'vectors' = 'compared' from api.search_lookup('plant', 'weeping tree', threshold => 0, query_vector => '[1,0,0]', explain => true) as s where s.rank = 1), 'and what it weighs');
select is((select count(*) from api.search_lookup('plant', 'weeping tree', threshold => 0, query_vector => '[1,0,0]', k_sem => 1)), 1::bigint, 'as many as asked for');
select throws_ok($$select * from api.search_lookup('plant', 'x', k_sem => 0)$$, 'QM422', null, 'not none');
select results_eq(
    $$select s.id, s.score from api.search_lookup('plant', 'Betula nana') as s$$,
    $$select s.id, s.score from api.search_lookup('plant', 'Betula nana', query_vector => '[1,0]') as s$$, 'a vector of another model is none'
);
select ok((select s.id = '2' and s.scores -> 'sem' = 'null' and s.scores ->> 'vectors' = 'query not embedded' from api.search_lookup('plant', 'Betula nana', explain => true) as s where s.rank = 1), 'without a vector there is an answer, which says so');
select ok((select s.scores -> 'sem' is null and s.scores ->> 'vectors' = 'off' from api.search_lookup('place', 'Umea', query_vector => '[1,0,0]', explain => true) as s where s.rank = 1), 'a table without vectors compares none');
select is((select s.id from api.search_lookup('plant', 'Salix repens', query_vector => '[0,1,0]') as s where s.rank = 1), '6', 'a name that waits for its vector is found as before');
select is((select r.rows -> 0 ->> 'id' from api.search_lookups('plant', '["x", "weeping tree"]', query_vectors => array[null, '[1,0,0]']) as r where r.number = 2), '1', 'in a batch');
select is((select r.rows -> 0 ->> 'id' from api.reconcile_lookups('[{"query": "weeping tree", "threshold": 0}]', query_vectors => array['[1,0,0]']) as r), '1', 'over all tables');
select results_eq($$select s.has_vectors from api.lookup_state('plant') as s union all select s.has_vectors from api.lookup_state('place') as s union all select s.has_vectors from api.lookup_state() as s$$, array[true, false, true], 'who asks is told whether to send one');

select * from finish();
rollback;
