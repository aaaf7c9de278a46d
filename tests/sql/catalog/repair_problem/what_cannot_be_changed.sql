begin;
select plan(16);

select is(catalog.repair_problem('{"title": "x", "phrases": ["a"], "arguments": {"q": {"name": "words"}}}', false), null, 'fine');
select is(catalog.repair_problem('[]', false), 'the changes must be a JSON object', 'no object');
select is(catalog.repair_problem('{"output_schema": {}}', false), '''output_schema'' cannot be changed', 'another member');
select is(catalog.repair_problem('{"title": "x"}', true), '''title'' can only be changed for one tool', 'not for all tools');
select is(catalog.repair_problem('{"categories": ["x"]}', true), null, 'but categories');
select is(catalog.repair_problem('{"title": " "}', false), 'title must be a text of 1 to 200 characters', 'an empty text');
select is(catalog.repair_problem('{"name": "../x y"}', false), 'name must consist of letters, digits and _ -', 'a name that would be changed to be callable');
select is(catalog.repair_problem('{"name": "find-orders_2"}', false), null, 'a name that can be called as it is');
select is(catalog.repair_problem('{"brief": 5}', false), 'brief must be a text of 1 to 160 characters', 'no text');
select is(catalog.repair_problem('{"phrases": [5]}', false), 'phrases must be a list of at most 50 short texts', 'no texts');
select is(catalog.repair_problem(jsonb_build_object('phrases', array[repeat('x', 201)]), false), 'phrases must be a list of at most 50 short texts', 'too long');
select is(catalog.repair_problem(jsonb_build_object('phrases', array_fill('x'::text, '{51}')), false), 'phrases must be a list of at most 50 short texts', 'too many');
select is(catalog.repair_problem('{"examples": {"q": 1}}', false), 'examples must be a list of at most 50 objects', 'no list');
select is(catalog.repair_problem('{"pinned": 1}', true), 'pinned must be true or false', 'neither true nor false');
select is(catalog.repair_problem('{"pinned": false}', true), null, 'all tools of an origin can be pinned');
select is(catalog.repair_problem('{"arguments": []}', false), 'arguments must be a JSON object', 'arguments are checked, too');

select * from finish();
rollback;
