begin;
select plan(3);

select t.make_catalog(), t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select count(*) from api.repair_tool('time__get_current_time', '{"title": "Now", "arguments": {"timezone": {"name": "place"}}}');
select t.read_as('op', 'qm_operator');
select t.at('2027-01-01 00:00+00');
select api.request_refresh('time');
create temporary table run as select c.refresh_id from service.claim_refresh(gen_random_uuid()) as c;
select s.* from run cross join lateral service.store_items(run.refresh_id, 'tool', '[{"name": "get_current_time", "description": "Get the current time.", "input_schema": {"type": "object", "properties": {"zone": {}}}}]') as s;
select service.finish_refresh(run.refresh_id, kinds => '{tool}') from run;
select results_eq(
    $$select g.warnings from run cross join lateral api.get_refresh(run.refresh_id) as g$$,
    $$values (array['the repair of time__get_current_time is set aside in part: the tool has no argument ''timezone'''])$$, 'the refresh says it'
);
select t.act_as('op', 'qm_operator');
select results_eq($$select l.notices from api.list_repairs() as l$$, $$values (array['the tool has no argument ''timezone'''])$$, 'so does the list of repairs');
select is(api.get_item(array['tool'], 'time__get_current_time') -> 'definition' -> 'title', '"Now"', 'the rest is repaired');

select * from finish();
rollback;
