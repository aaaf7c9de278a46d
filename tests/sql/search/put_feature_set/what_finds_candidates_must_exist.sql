begin;
select plan(4);

create function pg_temp.set() returns text language sql as $$
    select concat_ws(' ', s.description, s.candidates_function, s.features, coalesce(s.channels::text, '-')) from search.feature_set as s where s.name = 'mine'
$$;
select search.put_feature_set('mine', 'first', 'search.text_candidates', '{a,b}');
select is(pg_temp.set(), 'first search.text_candidates {a,b} {NULL,NULL}', 'features belong to no channel unless one is given');
select search.put_feature_set('mine', 'second', 'search.search', '{c}', '{dense}');
select is(pg_temp.set(), 'second search.search {c} {dense}', 'the same name again replaces it');
select throws_ok($$select search.put_feature_set('mine', 'third', 'search.nothing', '{c}')$$, 'QM422', 'there is no function called search.nothing; name an existing function that finds candidates', 'a function that is not there is refused');
select is(pg_temp.set(), 'second search.search {c} {dense}', 'and changes nothing');

select * from finish();
rollback;
