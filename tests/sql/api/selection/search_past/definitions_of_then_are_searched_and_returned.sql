begin;
select plan(9);

select t.at('2026-11-10 00:00+00');
select t.make_origin('o'), t.make_principal('alice');
select t.make_tool('o', 'changed', 'Counts zebras.'), t.make_tool('o', 'gone', 'Paints zebras.'), t.make_tool('o', 'same', 'Feeds zebras.');
select t.at('2026-11-12 00:00+00');
select t.make_tool('o', 'changed', 'Counts horses.');
update catalog.item set deprecated_at = core.now() where name = 'gone';
select search.remove_cards('tool', array(select x.id from catalog.item as x where x.name = 'gone'));
-- Newer ones with the same words, more than the engine is asked for at first.
select t.make_all_tools(jsonb_agg(jsonb_build_object('origin', 'o', 'name', 'newer' || i, 'description', 'Zebras, zebras, zebras.')))
from generate_series(1, 60) as i;
select t.read_as('alice');
select results_eq(
    $$select x.name, x.description, x.version from api.search_past('zebras', '2026-11-11 00:00+00') as x order by 1$$,
    $$values ('o__changed', 'Counts zebras.', 1), ('o__gone', 'Paints zebras.', 1), ('o__same', 'Feeds zebras.', 1)$$,
    'what was offered then, as it was, and nothing that came later'
);
select is_empty($$select * from api.search_past('zebras', '2026-11-09 00:00+00')$$, 'before there was anything');
select results_eq(
    $$select x.name from api.search_past('count horses', '2026-11-12 00:00+00', top => 1) as x$$, array['o__changed'], 'a version begins at its first moment'
);
select is((select count(*) from api.select_tools('zebras', as_of => '2026-11-11 00:00+00') as x where x.receipt is null), 3::bigint, 'select_tools does it, too');
select is((select x.description from api.search_tools('count zebras', as_of => '2026-11-11 00:00+00', top => 1) as x), 'Counts zebras.', 'and search_tools');
select is((select count(*) from selection.receipt), 0::bigint, 'nothing is kept of a look at the past');
select throws_ok($$select * from api.search_past('zebras', null)$$, 'QM422', null, 'a moment is needed');
select throws_ok($$select * from api.search_past('zebras', now(), top => 0)$$, 'QM422', null, 'and a number of tools');
select is((select x.items from api.list_origins('2026-11-11 00:00+00') as x), '{"tool": 3}'::jsonb, 'origins are listed with what they offered then');

select * from finish();
rollback;
