begin;
select plan(6);

select t.make_origin('o'), t.make_principal('alice');
select t.at('2026-11-10 00:00+00');
select t.make_tool('o', 'x', 'First.', '{"type": "object", "properties": {"a": {}}}');
select t.at('2026-11-18 00:00+00');
select t.make_tool('o', 'x', 'Second.');
select t.act_as('alice');
select results_eq(
    $$select d.callable_name, d.origin, d.tool, d.version, d.description, d.valid_from, d.valid_to from api.describe_tool('o__x') as d$$,
    $$values ('o__x', 'o', 'x', 2, 'Second.', '2026-11-18 00:00+00'::timestamptz, null::timestamptz)$$, 'now'
);
select results_eq(
    $$select d.version, d.description, d.input_schema, d.valid_to from api.describe_tool('o__x', as_of => '2026-11-17 12:00+00') as d$$,
    $$values (1, 'First.', '{"type": "object", "properties": {"a": {}}}'::jsonb, '2026-11-18 00:00+00'::timestamptz)$$, 'last Tuesday'
);
select is((select d.version from api.describe_tool('o__x', '2026-11-18 00:00+00') as d), 2, 'a version begins at its first moment');
select throws_ok($$select * from api.describe_tool('o__x', '2026-01-01 00:00+00')$$, 'QM404', null, 'before it was there');
select t.act_as_superuser();
select t.at('2026-11-20 00:00+00');
select catalog.deprecate_items(catalog.origin_id('o'), '{tool}', core.now());
select t.act_as('alice');
select throws_ok($$select * from api.describe_tool('o__x')$$, 'QM404', null, 'when it is gone');
select is((select d.version from api.describe_tool('o__x', '2026-11-19 00:00+00') as d), 2, 'its past stays');

select * from finish();
rollback;
