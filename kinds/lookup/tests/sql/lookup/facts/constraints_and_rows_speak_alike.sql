begin;
select plan(4);

select is(lookup.facts('{"family": "Poaceae", "year": 1996}'), array['family=poaceae', 'year=1996'], 'texts and numbers');
select is(lookup.facts('{"family": ["A", "B"]}'), array['family=a', 'family=b'], 'a list is a fact for each');
select is(lookup.facts('{"family": {"id": "7", "name": "Poaceae"}}'), array['family=poaceae'], 'a reconciled cell is its name');
select is(lookup.facts('null'), '{}', 'nothing');

select * from finish();
rollback;
