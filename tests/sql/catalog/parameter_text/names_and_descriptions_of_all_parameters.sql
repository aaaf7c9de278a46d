begin;
select plan(7);

select is(
    catalog.parameter_text('{"type": "object", "properties": {"city": {"type": "string", "description": "Where"}, "when": {"type": "string"}}}'),
    'city Where. when', 'flat ones'
);
select matches(catalog.parameter_text('{"properties": {"a": {"type": "object", "properties": {"inner": {"description": "deep"}}}}}'), 'inner deep', 'nested ones');
select matches(catalog.parameter_text('{"properties": {"a": {"anyOf": [{"properties": {"x": {}}}, {"properties": {"y": {}}}]}}}'), 'x.*y', 'and in alternatives');
select is(catalog.parameter_text('{"type": "object"}'), '', 'none');
select is(catalog.parameter_text('{"properties": {"any": true, "odd": 5}}'), 'any. odd', 'schemas that are no objects');
select lives_ok($$select catalog.parameter_text('{"properties": [1, {"properties": "x"}]}')$$, 'properties that are no object');
select ok(length(catalog.parameter_text((select jsonb_build_object('properties', jsonb_object_agg('p' || n, '{"description": "some words"}'::jsonb)) from generate_series(1, 5000) as n))) <= 8000, 'at most 8,000 characters');

select * from finish();
rollback;
