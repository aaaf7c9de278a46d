begin;
select plan(8);

select t.make_lookups(), t.make_principal('alice');
select t.act_as('alice');
select throws_ok($$select * from api.rerank_lookup('Betula', '{}')$$, 'QM422', null, 'no array');
select throws_ok($$select * from api.rerank_lookup(' ', '[]')$$, 'QM422', null, 'no query');
select throws_ok($$select * from api.rerank_lookup('Betula', '[]', 'nowhere')$$, 'QM404', null, 'an unknown table');
select results_eq(
    $$select r.id, r.model from api.rerank_lookup('B. nana', '[{"id": "1", "value": "Betula pendula"}, {"id": "2", "value": "Betula nana"}, {"id": "2", "value": "twice"}]', 'plant') as r$$,
    $$values ('2', 'learned'), ('1', 'learned')$$, 'by the learned score of the table, each once'
);
select results_eq(
    $$select r.id, r.model from api.rerank_lookup('Betula nana', '[{"id": "x", "value": "Bromus"}, {"id": "y", "value": "betula NANA L."}]') as r$$,
    $$values ('y', 'trigram'), ('x', 'trigram')$$, 'without a table by trigrams'
);
select ok((select bool_and(r.score between 0 and 1) from api.rerank_lookup('Betula', '[{"id": "2", "value": "Betula nana"}, {"id": "zz", "value": "Betula"}]', 'plant') as r), 'scores go from 0 to 1');
select is((select r.id from api.rerank_lookup('Betula nana', '[{"id": "zz", "value": "Betula nana"}, {"id": "2", "value": "Betula nana"}]', 'plant') as r limit 1), '2', 'what the table does not have comes after');
select is_empty($$select * from api.rerank_lookup('Betula', '[]', 'plant')$$, 'of none none');

select * from finish();
rollback;
