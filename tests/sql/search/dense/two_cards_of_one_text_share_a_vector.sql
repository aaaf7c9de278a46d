begin;
select plan(2);

select t.make_kind('twins');
select search.put_cards('twins', '[{"ref": 1, "name": "a", "fields": ["a"], "embedding_text": "same"}, {"ref": 2, "name": "b", "fields": ["b"], "embedding_text": "same"}]');
select search.put_model('test-4', 4, true);
select is(t.embed_cards('twins', 'test-4'), 1, 'one vector is kept');
select is((select count(*) from search.dense('twins', t.unit_vector(4, 1), 5, 40)), 2::bigint, 'both cards are found');

select * from finish();
rollback;
