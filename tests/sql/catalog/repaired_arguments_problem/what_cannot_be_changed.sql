begin;
select plan(9);

select is(catalog.repaired_arguments_problem('{"q": {"name": "words", "description": "Words.", "default": null, "hidden": true}}'), null, 'fine');
select is(catalog.repaired_arguments_problem('5'), 'arguments must be a JSON object', 'no object');
select ok(catalog.repaired_arguments_problem(p.given) is not null, p.given::text)
from unnest('{"{\"q\": 5}", "{\"q\": {\"type\": \"string\"}}", "{\"q\": {\"name\": \"two words\"}}", "{\"q\": {\"hidden\": false}}", "{\"q\": {\"description\": 5}}"}'::jsonb []) as p (given);
select isnt(catalog.repaired_arguments_problem(jsonb_build_object('q', jsonb_build_object('default', repeat('x', 5000)))), null, 'a default that would fill the definition');
select is(catalog.repaired_arguments_problem(jsonb_build_object('q', jsonb_build_object('default', repeat('x', 4998)))), null, 'with its quotes, this one has 5000 characters');

select * from finish();
rollback;
