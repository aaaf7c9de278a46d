begin;
select plan(7);

create temporary table listed as
select catalog.tool_definition('{
    "name": "find", "description": "Finds.", "annotations": {"title": "Find", "readOnlyHint": true}, "categories": ["old"],
    "input_schema": {"type": "object", "properties": {"q": {"type": "string"}, "account": {"type": "string"}}, "examples": [{"q": "a"}]},
    "extra": {"examples": [{"q": "b"}]}
}') as definition;
select is(catalog.repair_definition(l.definition, null, '{}'), l.definition, 'without a repair') from listed as l;
select is(catalog.repair_definition(l.definition, '{"arguments": {"other": {"hidden": true}}}', null), l.definition, 'an argument that only other tools have') from listed as l;
select is(catalog.repair_definition(l.definition, null, '{"title": "Find it"}') #>> '{annotations,title}', 'Find it', 'both titles') from listed as l;
select is(
    catalog.repair_definition(
        l.definition, '{"categories": ["support"], "arguments": {"account": {"hidden": true, "default": "a"}}}',
        '{"arguments": {"account": {"default": "b"}}}'
    ) - '{input_schema,repair}'::text[],
    l.definition - 'input_schema' || '{"categories": ["support"]}', 'what only the origin changes'
) from listed as l;
select is(
    catalog.repair_definition(
        l.definition, '{"arguments": {"account": {"hidden": true, "default": "a"}}}', '{"arguments": {"account": {"default": "b"}}}'
    ) -> 'repair',
    jsonb_build_object('listed', l.definition) || '{"names": {}, "values": {"account": "b"}, "hidden": ["account"], "aside": []}', 'the two together'
) from listed as l;
select is(
    jsonb_path_query_array(catalog.repair_definition(l.definition, null, '{"arguments": {"q": {"name": "words"}}}') - 'repair', 'strict $.**.examples[*]'),
    '[{"words": "b"}, {"words": "a"}]', 'all examples'
) from listed as l;
select is(
    catalog.repair_definition(l.definition, null, '{"arguments": {"gone": {"name": "x"}}}') #> '{repair,aside}', '["the tool has no argument ''gone''"]',
    'what does not fit is said'
) from listed as l;

select * from finish();
rollback;
