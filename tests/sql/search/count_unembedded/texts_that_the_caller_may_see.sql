begin;
select plan(6);

select t.make_principal('alice'), t.make_kind('memo'), t.make_kind('note');
select search.put_cards('memo', '[{"ref": 1, "name": "a", "fields": ["a"], "embedding_text": "same"}, {"ref": 2, "name": "b", "fields": ["b"], "embedding_text": "same"}, {"ref": 3, "name": "secret", "fields": ["c"]}]');
select t.make_card('note', 1, 'd', 'd');
select is(search.count_unembedded('memo'), 0::bigint, 'without a model nothing waits');
select search.put_model('test-4', 4, true);
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "names": "secret"}]}');
select t.read_as('alice');
select is(search.count_unembedded('memo'), 1::bigint, 'each text once, and none that is hidden');
select is(search.count_unembedded(), 2::bigint, 'of all kinds');
select t.act_as_superuser();
select t.embed_cards('memo', 'test-4');
select t.read_as('alice');
select is(search.count_unembedded('memo'), 0::bigint, 'one with a vector waits no longer');
select is(search.count_unembedded(), 1::bigint, 'those of other kinds do');
select t.read_as(null);
select throws_ok('select search.count_unembedded()', 'QM403', null, 'nobody counts');

select * from finish();
rollback;
