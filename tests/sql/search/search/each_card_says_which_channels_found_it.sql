begin;
select plan(3);

select t.make_catalog();
select search.put_model('test-8', 8, true);
select t.embed_cards('tool', 'test-8');
select results_eq(
    $$select s.sources from search.search('tool', 'get current time', t.unit_vector(8, 2), 5, 1, 5, 40, '{1, 1, 0.3}') as s limit 1$$,
    $$values (array['dense', 'fuzzy', 'lexical'])$$, 'all three found the best'
);
select set_eq(
    $$select unnest(s.sources) from search.search('tool', 'get current time', null, 5, 5, 5, 40, '{1, 1, 0.3}') as s$$, array['fuzzy', 'lexical'], 'without a vector two'
);
select set_eq(
    $$select unnest(s.sources) from search.search('tool', 'get current time', t.unit_vector(8, 2), 0, 5, 0, 40, '{1, 1, 0.3}') as s$$, array['dense'], 'only the one asked'
);

select * from finish();
rollback;
