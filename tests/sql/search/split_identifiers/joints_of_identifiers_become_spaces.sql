begin;
select plan(4);

select is(search.split_identifiers('getCurrentTime'), 'get Current Time', 'camelCase');
select is(search.split_identifiers('get_current-time'), 'get current time', 'snake_case and kebab-case');
select is(search.split_identifiers('parseJSONValue'), 'parse JSON Value', 'an acronym');
select is(search.split_identifiers('listAPIs'), 'list APIs', 'a plural acronym');

select * from finish();
rollback;
