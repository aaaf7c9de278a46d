begin;
select plan(5);

select is(search.tokenize('get_current_time'), $$'get':1 'current':2 'time':3 'getcurrenttim':4$$::tsvector, 'snake_case');
select is(search.tokenize('get-current-time'), search.tokenize('get_current_time'), 'kebab-case is the same');
select is(search.tokenize('getCurrentTime'), search.tokenize('get_current_time'), 'camelCase is the same');
select ok(search.tokenize('find getcurrenttime') @@ 'getcurrenttim', 'who types it without separators finds the whole');
select is(search.tokenize('list_s3_buckets'), $$'list':1 's3':2 'bucket':3 'lists3bucket':4$$::tsvector, 'digits stay with their letters');

select * from finish();
rollback;
