begin;
select plan(6);

select is(search.tokenize('user@example.com'), $$'user':1 'exampl':2 'com':3$$::tsvector, 'addresses are words');
select is(search.tokenize('foo/bar.txt'), $$'foo':1 'bar':2 'txt':3$$::tsvector, 'paths are words');
select is(search.tokenize('-5 +3.14'), $$'5':1 '3':2 '14':3$$::tsvector, 'numbers have no sign');
select is(search.tokenize(null), ''::tsvector, 'null is nothing');
select is(search.tokenize(E'!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~ \t\n'), ''::tsvector, 'punctuation alone is nothing');
select is(search.tokenize('the of and'), ''::tsvector, 'English stop words are nothing');

select * from finish();
rollback;
