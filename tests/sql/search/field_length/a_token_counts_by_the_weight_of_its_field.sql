begin;
select plan(2);

select is(search.field_length($$'a':1A,2C 'b':3D$$::tsvector, '{2, 1, 1, 0.5}'), 3.5::real, 'sum of the weights');
select is(search.field_length('', '{2, 1, 1, 0.5}'), 0::real, 'an empty document has length 0');

select * from finish();
rollback;
