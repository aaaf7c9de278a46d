begin;
select plan(9);

select t.make_catalog();
select t.make_principal('alice');
select t.at('2027-01-01 00:00+00');
select is(catalog.deprecate_items(catalog.origin_id('time'), '{tool}', core.now()), 2, 'both tools of the origin');
select t.read_as('alice');
select throws_ok($$select * from api.describe_tool('time__convert_time')$$, 'QM404', null, 'not described');
select is((select c.call_id from service.call_begin('time__convert_time', 0, 'r', gen_random_uuid()) as c), null, 'not called');
select is_empty($$select * from api.select_tools('convert time') as f where f.origin = 'time'$$, 'not found');
select t.act_as_superuser();
select is((select count(*) from catalog.item as t where t.deprecated_at is not null), 2::bigint, 'but not deleted');
select is_empty($$select * from t.wrong_statistics('tool')$$, 'the statistics forget it');
select t.make_tool('time', 'convert_time', 'Convert a time between timezones.');
select is((select t.version from catalog.item as t where t.name = 'convert_time'), 1, 'back as it was, it is the same version');
select t.read_as('alice');
select isnt_empty($$select * from api.describe_tool('time__convert_time')$$, 'it is described again');
select isnt_empty($$select * from api.select_tools('convert time') as f where f.name = 'time__convert_time'$$, 'and found');

select * from finish();
rollback;
