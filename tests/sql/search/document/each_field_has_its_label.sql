begin;
select plan(3);

select is(
    search.document('["clock", "home", "Tells the hours", "zone clock"]'),
    'clock:1A,7 home:2B hour:5C tell:3C zone:6'::tsvector, 'four fields'
);
select is(search.document('["clock"]'), 'clock:1A'::tsvector, 'fields may be missing');
select is(search.document(jsonb_build_array(repeat('clock ', 3333) || 'cl lamp')), search.document(jsonb_build_array(repeat('clock ', 3333) || 'cl')), 'only the first 20,000 characters of a field are read');

select * from finish();
rollback;
