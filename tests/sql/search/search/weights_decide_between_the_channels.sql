begin;
select plan(2);

select t.make_kind('mixed');
select t.make_card('mixed', 1, 'word card', 'apple');
select t.make_card('mixed', 2, 'vector card', 'pear');
select search.put_model('test-4', 4, true);
select t.embed_cards('mixed', 'test-4');
select results_eq(
    $$select t.ref_of(s.card_id) from search.search('mixed', 'apple', t.unit_vector(4, 2), 5, 5, 0, 40, '{1, 0.1, 0}') as s$$,
    array[1, 2]::bigint [], 'words before meaning'
);
select results_eq(
    $$select t.ref_of(s.card_id) from search.search('mixed', 'apple', t.unit_vector(4, 2), 5, 5, 0, 40, '{0.1, 1, 0}') as s$$,
    array[2, 1]::bigint [], 'meaning before words'
);

select * from finish();
rollback;
