begin;
select plan(4);

select t.make_catalog(), t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select results_eq(
    $$select g.effective -> 'attempts', g.own, g.set_at, g.set_by from api.get_terms('time__convert_time') as g$$,
    $$values ('3'::jsonb, '{}'::jsonb, null::timestamptz, null)$$, 'where none were set, defaults apply'
);
select api.set_terms('time__convert_time', '{"timeout_s": 5}');
select results_eq(
    $$select g.effective -> 'timeout_s', g.own, g.set_by, g.is_of_this_version from api.get_terms('time__convert_time') as g$$,
    $$values ('5'::jsonb, '{"timeout_s": 5}'::jsonb, 'op', true)$$, 'what was set, and by whom'
);
select t.act_as_superuser();
select t.make_tool('time', 'convert_time', 'Convert times.');
select t.act_as('op', 'qm_operator');
select is((select g.is_of_this_version from api.get_terms('time__convert_time') as g), false, 'the tool has changed since');
select throws_ok($$select * from api.get_terms('time__no_such')$$, 'QM404', null, 'a tool that is not there');

select * from finish();
rollback;
