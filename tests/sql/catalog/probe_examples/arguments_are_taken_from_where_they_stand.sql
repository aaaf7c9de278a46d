begin;
select plan(4);

select t.make_origin('o');
create function pg_temp.examples(p_tool text) returns jsonb language sql as $$
    select count(*) from t.put_tools(jsonb_build_array('{"origin": "o", "name": "x"}'::jsonb || p_tool::jsonb));
    select catalog.probe_examples(t.id) from catalog.item as t where t.name = 'x';
$$;
select is(pg_temp.examples('{}'), '[]', 'none');
select is(pg_temp.examples('{"input_schema": {"type": "object", "examples": [{"a": 1}, 5, {"a": 2}]}}'), '[{"a": 1}, {"a": 2}]', 'of the schema; only objects');
select is(pg_temp.examples('{"extra": {"examples": [{"arguments": {"a": 3}}]}}'), '[{"a": 3}]', 'of the definition');
select is(pg_temp.examples('{"examples": [{"input": {"a": 4}}], "extra": {"examples": [{"a": 5}]}}'), '[{"a": 4}]', 'its own examples first');

select * from finish();
rollback;
