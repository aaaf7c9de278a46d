begin;
select plan(3);

select t.make_catalog(), t.make_principal('alice');
select t.read_as('alice');
create function pg_temp.tools(p_goal text) returns jsonb language sql as $$
    select catalog.task_tools(jsonb_populate_record(null::selection.task, jsonb_build_object('goal', p_goal, 'cards', 2)));
$$;
create temporary table found as select f.tool from jsonb_array_elements(pg_temp.tools('convert a time between timezones')) as f (tool);
select is((select f.tool - '{score,receipt}'::text[] from found as f limit 1), '{"name": "time__convert_time", "text": "Convert a time between timezones."}', 'the best first');
select ok((select f.tool ?& '{score,receipt}' from found as f limit 1), 'with the receipt of the search');
select is(pg_temp.tools('quokka'), null, 'nothing fits');

select * from finish();
rollback;
