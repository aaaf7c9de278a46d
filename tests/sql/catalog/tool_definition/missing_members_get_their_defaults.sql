begin;
select plan(3);

select is(
    catalog.tool_definition('{"name": "x", "input_schema": null, "annotations": null, "categories": "c", "more": 1}'),
    '{
        "name": "x", "title": null, "description": null, "input_schema": {"type": "object"}, "output_schema": null, "annotations": {}, "extra": {},
        "categories": [], "examples": []
    }', 'each member, and no other'
);
select is(
    catalog.tool_definition('{"input_schema": 5, "annotations": [], "categories": ["c"]}') -> k.name, k.value, k.name || ' stays as it is given'
)
from (values ('input_schema', '5'::jsonb), ('categories', '["c"]')) as k (name, value);

select * from finish();
rollback;
