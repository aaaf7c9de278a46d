begin;
select plan(8);

select t.make_kind('first');
select t.make_kind('second');
select search.put_cards('first', '[{"ref": 1, "name": "a", "fields": ["a"], "embedding_text": "shared"}, {"ref": 2, "name": "b", "fields": ["b"], "embedding_text": "own"}, {"ref": 3, "name": "c", "fields": ["c"], "embedding_text": "own"}]');
select search.put_model('test-4', 4, true);
select is(search.count_unembedded(), 2::bigint, 'two texts wait');
select is(search.count_unembedded('second'), 0::bigint, 'none of another kind');
select set_eq($$select u.embedding_text from search.claim_unembedded('test-4', 10) as u$$, array['shared', 'own'], 'each text once');
select is((select count(*) from search.claim_unembedded('test-4', 1)), 1::bigint, 'no more than asked for');
select t.embed_cards('first', 'test-4');
select is_empty($$select * from search.claim_unembedded('test-4', 10)$$, 'nothing waits when all are stored');
select search.put_cards('second', '[{"ref": 1, "name": "z", "fields": ["z"], "embedding_text": "shared"}]');
select is_empty($$select * from search.claim_unembedded('test-4', 10)$$, 'a text that another kind has embedded is copied');
select is((select count(*) from search.dense('second', t.unit_vector(4, 1), 5, 40)), 1::bigint, 'and found there');
select throws_ok($$select * from search.claim_unembedded('nobody', 10)$$, 'QM404', null, 'an unknown model');

select * from finish();
rollback;
