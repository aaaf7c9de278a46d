begin;
select plan(3);

select t.make_origin('o');
select t.at('2026-11-10 00:00+00');
select t.make_tool('o', 'x', 'First. One.');
select t.at('2026-11-12 00:00+00');
select t.make_tool('o', 'x', 'Second.');
select is(
    catalog.describe_past('tool', 'o__x', '2026-11-11 00:00+00') - '{definition,valid_from,valid_to}'::text[],
    '{"kind": "tool", "name": "o__x", "origin": "o", "brief": "First.", "version": 1}', 'the first'
);
select is(catalog.describe_past('tool', 'o__x', '2026-11-12 00:00+00') #>> '{definition,description}', 'Second.', 'the second, from its first moment');
select is(catalog.describe_past('tool', 'o__x', '2026-11-09 00:00+00'), null, 'none was offered yet');

select * from finish();
rollback;
