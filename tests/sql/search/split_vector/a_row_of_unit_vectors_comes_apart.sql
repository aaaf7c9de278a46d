begin;
select plan(5);

select search.put_model('test-4', 4, true);

select is(cardinality(search.split_vector('[1,0,0,0,0.5,0.5,0.5,0.5,0.5,0.5,0.5]')), 1, 'a remainder: not taken apart');
select is(
    search.split_vector('[0.5,0.5,0.5,0.5,0,0,0,0]')::text[], array['[0.5,0.5,0.5,0.5,0,0,0,0]'],
    'the vector of another model, twice as long, is no row of two'
);
select is(search.split_vector('[1,0,0,0]')::text[], array['[1,0,0,0]'], 'a goal alone');
select is(
    search.split_vector('[1,0,0,0,0,1,0,0,0.5,0.5,0.5,0.5]')::text[], array['[1,0,0,0]', '[0,1,0,0]', '[0.5,0.5,0.5,0.5]'],
    'a goal and its two sentences'
);
select is((search.split_vector(null))[1]::text, null, 'without a vector there is none');

select * from finish();
rollback;
