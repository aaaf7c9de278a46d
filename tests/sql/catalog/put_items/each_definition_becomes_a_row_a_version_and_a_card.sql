begin;
select plan(4);

select t.make_origin('time');
select results_eq(
    $$select p.name, p.public_name, p.outcome, p.reason from t.put_tools('[{"origin": "time", "name": "now", "title": "Now", "description": "The time. In UTC.", "input_schema": {"type": "object"}, "output_schema": {"type": "object"}, "annotations": {"readOnlyHint": true}, "categories": ["clock"], "examples": [{"a": 1}], "extra": {"icons": []}}]') as p$$,
    $$values ('now', 'time__now', 'added', null::text)$$, 'it says so'
);
select results_eq(
    $$select t.definition ->> 'title', t.brief, t.definition ->> 'description', t.traits, t.categories, t.definition -> 'examples', t.definition -> 'extra', t.version from catalog.item as t$$,
    $$values ('Now', 'The time.', 'The time. In UTC.', '{read_only}'::text [], '{clock}'::text [], '[{"a": 1}]'::jsonb, '{"icons": []}'::jsonb, 1)$$, 'the row'
);
select results_eq($$select v.version, v.definition ->> 'title', v.valid_to from catalog.item_version as v$$, $$values (1, 'Now', null::timestamptz)$$, 'the version');
select results_eq($$select c.name, c.origin, c.label, c.brief, c.embedding_text from search.card as c$$,
    $$values ('time__now', 'time', 'now', 'The time.', 'time now: The time. In UTC. made for a test')$$, 'the card');

select * from finish();
rollback;
