begin;
select plan(2);

select t.make_origin('my-origin');
select results_eq(
    format($$select c ->> 'name', c ->> 'label', c -> 'fields' from jsonb_array_elements(catalog.cards('tool', array[%s::bigint])) as c$$,
        t.make_tool('my-origin', 'doThing', 'Does it.', '{"type": "object", "properties": {"speed": {"description": "How fast"}}}')),
    $$values ('my-origin__doThing', 'doThing', '["doThing", "my-origin made for a test", "Does it.", "speed How fast"]'::jsonb)$$, 'name, title and origin, description, parameters'
);
select is(catalog.cards('tool', '{}'), '[]'::jsonb, 'no tools, no cards');

select * from finish();
rollback;
