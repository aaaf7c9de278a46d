begin;
select plan(2);

select search.put_model('small', 3, true);
select is(lookup.meaning_of('elk', '[1,0,0]')::text, '[1,0,0]', 'the vector that is given');
select is(lookup.meaning_of('elk', '[1,0]')::text, null, 'one of another model is none');

select * from finish();
rollback;
