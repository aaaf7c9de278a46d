begin;
select plan(5);

select is(search.tokenize('東京の天気'), $$'東京':1 '京の':2 'の天':3 '天気':4$$::tsvector, 'Japanese');
select is(search.tokenize('한국어'), $$'한국':1 '국어':2$$::tsvector, 'Korean');
select is(search.tokenize('字'), $$'字':1$$::tsvector, 'a single character is kept');
select ok(search.tokenize('東京の天気を調べる') @@ $$'天気'$$, 'a word inside a run is found');
select ok(search.tokenize('get 天気 now') @@ $$'天気' & get$$, 'beside other words');

select * from finish();
rollback;
