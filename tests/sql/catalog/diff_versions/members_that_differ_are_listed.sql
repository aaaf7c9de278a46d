begin;
select plan(3);

select t.make_origin('o');
select t.make_tool('o', 'x', 'One.', '{"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}');
select t.make_tool('o', 'x', 'Two.', '{"type": "object", "properties": {"a": {"type": "integer"}, "c": {"type": "string", "description": "new"}}}');
select results_eq(
    $$select d.member, d.before, d.after from catalog.item as t cross join lateral catalog.diff_versions(t.id, 1, 2) as d$$,
    $$values ('description', 'One.', 'Two.'),
    ('input_schema/properties/a/type', 'string', 'integer'),
    ('input_schema/properties/b/type', 'string', null),
    ('input_schema/properties/c/description', null, 'new'),
    ('input_schema/properties/c/type', null, 'string')$$, 'changed, gone and new, in order'
);
select is_empty($$select d.* from catalog.item as t cross join lateral catalog.diff_versions(t.id, 2, 2) as d$$, 'a version does not differ from itself');
select is((select count(*) from catalog.item as t cross join lateral catalog.diff_versions(t.id, 2, 1) as d), 5::bigint, 'the other way round as many');

select * from finish();
rollback;
