begin;
select plan(2);

select is(
    catalog.tool_labels('{"categories": ["clock"], "annotations": {"readOnlyHint": true}}'), '{"categories": ["clock"], "traits": ["read_only"]}', 'what it says of itself'
);
select is(catalog.tool_labels('{"annotations": {}}'), '{"categories": null, "traits": ["destructive"]}', 'a tool that says nothing');

select * from finish();
rollback;
