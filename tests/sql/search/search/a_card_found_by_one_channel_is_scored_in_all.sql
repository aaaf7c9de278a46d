begin;
select plan(2);

select t.make_kind('all');
select t.make_card('all', 1, 'one', 'apple');
select search.put_model('test-4', 4, true);
select t.embed_cards('all', 'test-4');
select results_eq(
    $$select s.sources, round(s.dense::numeric, 3) from search.search('all', 'apple', t.unit_vector(4, 1), 5, 0, 0, 40, '{1, 1, 0}') as s$$,
    $$values (array['lexical'], 1.000)$$, 'found by words, its similarity counts too'
);
select throws_ok(
    $$select * from search.search('all', 'apple', '[1, 0]', 5, 0, 0, 40, '{1, 1, 0}')$$, 'QM422', null, 'a wrong dimension is refused also where no neighbours are asked for'
);

select * from finish();
rollback;
