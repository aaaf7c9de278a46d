begin;
select plan(8);

select t.make_principal('alice'), t.make_principal('op', 'operator'), t.make_catalog();
select t.act_as('alice');
select throws_ok($$select * from api.decide_item('{tool}', 'time__convert_time', 'deprecated')$$, '42501', null, 'a user may not');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.decide_item('{tool}', 'time__nothing', 'deprecated')$$, 'QM404', null, 'an absent tool');
select results_eq($$select d.was, d.current_version, d.calls from api.decide_item('{tool}', 'time__convert_time', 'deprecated', reason => 'odd', dry_run => true) as d$$, $$values ('approved', 1, 0::bigint)$$, 'a preview says what it is');
select isnt_empty($$select * from api.describe_tool('time__convert_time')$$, 'and changes nothing');
select results_eq($$select d.was from api.decide_item('{tool}', 'time__convert_time', 'deprecated', reason => 'odd') as d$$, array['approved'], 'done');
select throws_ok($$select * from api.describe_tool('time__convert_time')$$, 'QM404', null, 'it is out of reach');
select is((select g.tool ->> 'status_reason' from api.get_item('{tool}', 'time__convert_time') as g (tool)), 'odd', 'with the reason');
select results_eq($$select a.was from api.decide_item('{tool}', 'time__convert_time', 'approved') as a where exists (select from api.describe_tool('time__get_current_time'))$$, array['deprecated'], 'and comes back');

select * from finish();
rollback;
