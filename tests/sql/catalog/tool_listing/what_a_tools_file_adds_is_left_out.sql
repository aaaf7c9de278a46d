begin;
select plan(1);

select is(
    catalog.tool_listing('{"name": "x", "description": "d", "categories": ["c"], "examples": [{}], "extra": {}}'),
    '{"name": "x", "description": "d", "extra": {}}', 'categories and examples'
);

select * from finish();
rollback;
