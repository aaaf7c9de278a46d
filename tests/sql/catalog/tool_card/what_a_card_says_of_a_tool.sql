begin;
select plan(6);

create function pg_temp.card(p_members jsonb) returns jsonb language sql as $$
    select catalog.tool_card(7, 'o__x', 'o', 'Made for a test.', '{"name": "deleteAll", "title": "Delete all", "description": "Deletes. Everything."}' || p_members);
$$;
select is(
    pg_temp.card('{"input_schema": {"type": "object", "properties": {"what": {"description": "what goes"}}}}') - '{tokens,embedding_text}'::text[],
    '{
        "ref": 7, "name": "o__x", "origin": "o", "label": "deleteAll", "brief": "Deletes.", "destroys": "delet", "risk": 1.0,
        "fields": ["deleteAll", "Delete all o Made for a test.", "Deletes. Everything.", "what what goes"]
    }', 'the card'
);
select is(pg_temp.card('{}') ->> 'embedding_text', 'o delete All: Deletes. Everything. Made for a test.', 'what is embedded');
select is(pg_temp.card('{"input_schema": {}}') -> 'tokens', '10', 'a token for four characters of text, or three of JSON');
select is(pg_temp.card('{"annotations": {"readOnlyHint": true, "openWorldHint": false}}') -> 'risk', '0', 'a tool that only reads its own server');
select is(pg_temp.card('{"annotations": {"destructiveHint": false}}') -> 'risk', '0.6', 'one that writes elsewhere');
select is(pg_temp.card('{"annotations": {"readOnlyHint": true}}') -> 'destroys', 'null', 'one that says that it only reads destroys nothing');

select * from finish();
rollback;
