begin;
select plan(10);

create function pg_temp.repaired(p_arguments jsonb, p_more jsonb default '{}') returns jsonb language sql as $$
    select catalog.repair_schema(
        '{"type": "object", "properties": {"q": {"type": "string"}, "n": {"type": "integer", "description": "How many."}}, "required": ["q", "n"]}' || p_more,
        p_arguments, array['q', 'n', 'gone']
    );
$$;
select is(
    pg_temp.repaired('{"q": {"name": "words", "description": "Words."}}'),
    '{"schema": {"type": "object", "properties": {"words": {"type": "string", "description": "Words."}, "n": {"type": "integer", "description": "How many."}}, "required": ["words", "n"]},
      "names": {"words": "q"}, "values": {}, "hidden": [], "aside": []}',
    'a new name, also where it is required'
);
select is(
    pg_temp.repaired('{"n": {"default": 5}}'),
    '{"schema": {"type": "object", "properties": {"q": {"type": "string"}, "n": {"type": "integer", "description": "How many.", "default": 5}}, "required": ["q"]},
      "names": {}, "values": {"n": 5}, "hidden": [], "aside": []}',
    'what has a default is not required'
);
select is(
    pg_temp.repaired('{"q": {"hidden": true, "default": "x"}, "n": {"hidden": true, "default": 5}}'),
    '{"schema": {"type": "object", "properties": {}}, "names": {}, "values": {"n": 5, "q": "x"}, "hidden": ["n", "q"], "aside": []}',
    'what is hidden is not in the schema'
);
select is(pg_temp.repaired('{"q": {"hidden": true}}') ->> 'aside', '["the argument ''q'' is required, so it needs a default to be hidden"]', 'what is required needs a value');
select is(pg_temp.repaired('{"gone": {"name": "x"}, "other": {"name": "y"}}') ->> 'aside', '["the tool has no argument ''gone''"]', 'what is expected is missed, the rest is not');
select is(pg_temp.repaired('{"q": {"name": "gone"}, "gone": {"description": "x"}}') ->> 'aside', '["''gone'' is a new name: the change must name the argument ''q''"]', 'a new name is told apart from a mistyped one');
select is(pg_temp.repaired('{"q": {"name": "n"}}') ->> 'aside', '["the tool has another argument called ''n''"]', 'no two arguments get one name');
select is(
    pg_temp.repaired('{"q": {"name": "words"}}', '{"anyOf": [{"required": ["q"]}]}') ->> 'aside',
    '["the input schema names the argument ''q'' outside of its properties, too"]', 'the other places would be wrong'
);
select is(pg_temp.repaired('{"q": {"description": "Words."}}', '{"anyOf": [{"required": ["q"]}]}') ->> 'aside', '[]', 'a description changes no name');
select is(
    pg_temp.repaired('{"q": {"name": "words"}, "n": {"default": "five"}}') - 'schema',
    '{"names": {"words": "q"}, "values": {}, "hidden": [], "aside": ["the default of ''n'' is not of the type integer"]}', 'what fits is done'
);

select * from finish();
rollback;
