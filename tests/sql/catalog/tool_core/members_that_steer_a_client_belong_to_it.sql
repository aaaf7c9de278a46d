begin;
select plan(9);

create function pg_temp.core(p_meta jsonb) returns jsonb language sql as $$
    select catalog.tool_core(catalog.tool_definition(jsonb_build_object('name', 't', 'extra', jsonb_build_object('icons', '[]'::jsonb, '_meta', p_meta))))
$$;
select is(pg_temp.core('{"own": 1}'), pg_temp.core('{"own": 2}'), 'most members of _meta may change');
select is(pg_temp.core('{}'), catalog.tool_core(catalog.tool_definition('{"name": "t"}')), 'without _meta it is the same');
select is(pg_temp.core('5'), pg_temp.core('{}'), 'what is no object steers nobody');
select isnt(pg_temp.core(m.meta), pg_temp.core('{}'), m.meta::text)
from unnest(
    '{
        "{\"anthropic/alwaysLoad\": true}", "{\"ui\": {\"resourceUri\": \"ui://a\"}}", "{\"ui/resourceUri\": \"ui://a\"}",
        "{\"openai/outputTemplate\": \"ui://a\"}", "{\"io.modelcontextprotocol/ui\": {}}"
    }'::jsonb []
) as m (meta);
select isnt(pg_temp.core('{"ui": {"resourceUri": "ui://a"}}'), pg_temp.core('{"ui": {"resourceUri": "ui://b"}}'), 'and its value counts');

select * from finish();
rollback;
