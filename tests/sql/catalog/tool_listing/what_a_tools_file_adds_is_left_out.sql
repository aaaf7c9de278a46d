begin;
select plan(3);

select is(
    catalog.tool_listing('{"name": "x", "description": "d", "categories": ["c"], "examples": [{}], "extra": {}}'),
    '{"name": "x", "description": "d", "extra": {}}', 'categories and examples'
);
select is(
    catalog.tool_listing('{"name": "x", "pinned": true, "repair": {"listed": {"name": "x"}, "names": {}, "values": {}, "hidden": [], "aside": ["y"]}}'),
    '{"name": "x"}', 'a pin, and a repair that passes on arguments as they are'
);
select is(
    catalog.tool_listing('{"name": "x", "repair": {"listed": {"name": "x"}, "names": {"words": "q"}, "values": {}, "hidden": [], "aside": []}}'),
    '{"name": "x", "repair": {"names": {"words": "q"}, "values": {}, "hidden": []}}', 'a change of how arguments are passed on makes a version'
);

select * from finish();
rollback;
