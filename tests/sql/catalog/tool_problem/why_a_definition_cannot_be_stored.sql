begin;
select plan(8);

select is(catalog.tool_problem(catalog.tool_definition('{"name": "x"}')), null, 'a name is enough');
select is(catalog.tool_problem(catalog.tool_definition(jsonb_build_object('name', repeat('x', 512)))), null, 'a name of 512 characters');
select is(catalog.tool_problem(catalog.tool_definition('{"name": "x"}' || w.given)), w.problem, w.problem)
from (
    values
    (jsonb_build_object('name', repeat('x', 513)), 'the name is longer than 512 characters'),
    ('{"description": {}}', 'the description is not text'),
    ('{"title": 5}', 'the title is not text'),
    ('{"input_schema": []}', 'the input schema is not a JSON object'),
    ('{"output_schema": "object"}', 'the output schema is not a JSON object'),
    ('{"annotations": []}', 'the annotations are not a JSON object')
) as w (given, problem);

select * from finish();
rollback;
