begin;
select plan(8);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('alice');
select throws_ok($$select api.set_terms('time__convert_time', '{}')$$, '42501', null, 'users do not');
select throws_ok($$select * from api.get_terms('time__convert_time')$$, '42501', null, 'nor see it');
select t.act_as('op', 'qm_operator');
select throws_ok($$select api.set_terms('time__convert_time', '{"timeout": 1}')$$, 'QM422', null, 'what there is not');
select throws_ok($$select api.set_terms('time__convert_time', '{"cache_s": 1, "is_read_only": false}')$$, 'QM422', null, 'a cache for what writes');
select throws_ok($$select api.set_terms('time__no_such', '{}')$$, 'QM404', null, 'no such tool');
select is(api.set_terms('time__convert_time', '{"timeout_s": 5, "attempts": 2}', dry_run => true), '{"timeout_s": 5, "attempts": 2}', 'what would be');
select api.set_terms('time__convert_time', '{"timeout_s": 5, "attempts": 2}');
select is(api.set_terms('time__convert_time', '{"attempts": null}'), '{"timeout_s": 5}', 'null takes back');
select results_eq(
    $$select g.own, g.effective -> 'attempts', g.set_by, g.is_of_this_version from api.get_terms('time__convert_time') as g$$,
    $$values ('{"timeout_s": 5}'::jsonb, '3'::jsonb, 'op', true)$$, 'what holds, what was set, and by whom'
);

select * from finish();
rollback;
