begin;
select plan(4);

select t.make_catalog();
select search.put_model('test-8', 8, true);
select t.embed_cards('tool', 'test-8');
select is_empty(
    $$select * from search.search('tool', 'get current time', t.unit_vector(8, 2), 50, 50, 50, 40, '{1, 1, 0.3}') as s where s.score is null or s.score < 0 or s.score > 1$$,
    'with all channels'
);
select is_empty(
    $$select * from search.search('tool', 'time ticket', null, 50, 50, 50, 40, '{1, 0, 0}') as s where s.score is null or s.score < 0 or s.score > 1$$,
    'with one'
);
select is((select max(s.score) from search.search('tool', 'ticket', null, 50, 0, 0, 40, '{1, 0, 0}') as s), 1::real, 'the best of a single channel has one');
select ok((select bool_and(s.score is null) or count(*) > 0 from search.search('tool', 'ticket', null, 50, 0, 0, 40, '{0, 0, 0}') as s), 'weights of nothing do not fail');

select * from finish();
rollback;
