begin;
select plan(3);

select is(search.tokenize('parseHTTPResponse'), $$'pars':1 'http':2 'respons':3 'parsehttprespons':4$$::tsvector, 'inside an identifier');
select is(search.tokenize('HTTPServer'), $$'http':1 'server':2$$::tsvector, 'at its beginning');
select is(search.tokenize('APIs and IDs'), $$'api':1 'id':3$$::tsvector, 'their plural is the same word');

select * from finish();
rollback;
