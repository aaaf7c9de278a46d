begin;
select plan(6);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator');
create temporary table given as select '{
    "origin": "time", "name": "wait", "title": "Wait", "description": "Waits.", "input_schema": {"type": "object", "default": null},
    "output_schema": {"type": "object"}, "annotations": {"readOnlyHint": true}, "categories": ["clock"], "examples": [{"s": 1}],
    "extra": {"icons": [], "id": "7"}
}'::jsonb as tool;
select t.put_tools(jsonb_build_array(g.tool)) from given as g;
update catalog.item set deprecated_at = now() where name = 'listTickets';
update catalog.item set status = 'quarantined' where name = 'create_ticket';
grant select on given to public;
select t.act_as('alice');
select results_eq(
    'select e.name from api.export_tools() as e', array['time__convert_time', 'time__get_current_time', 'time__wait'], 'what is offered, by name'
);
select is(
    (select e.tool - 'origin_description' from api.export_tools() as e where e.name = 'time__wait'),
    (select g.tool - 'extra' || (g.tool -> 'extra') - 'id' from given as g), 'as it was given'
);
select is((select e.tool ->> 'origin_description' from api.export_tools() as e where e.name = 'time__wait'), 'made for a test', 'what its origin is comes along');
select results_eq($$select e.name from api.export_tools('time__convert_time', 1) as e$$, array['time__get_current_time'], 'a page');
select ok(not e.tool ?| '{title,output_schema}', 'what it has not is left out') from api.export_tools(limit_to => 1) as e;
select t.act_as(null);
select is_empty('select * from api.export_tools()', 'nobody exports nothing');

select * from finish();
rollback;
