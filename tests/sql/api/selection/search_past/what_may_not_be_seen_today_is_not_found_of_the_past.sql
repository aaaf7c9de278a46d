begin;
select plan(9);

select t.at('2026-11-10 00:00+00');
select t.make_origin('o'), t.make_principal('alice'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select t.make_tool('o', 'denied', 'Counts zebras.'), t.make_tool('o', 'pending', 'Counts zebras.'), t.make_tool('o', 'suspect', 'Counts zebras.');
select t.at('2026-11-12 00:00+00');
select t.make_tool('o', 'denied', 'Counts horses.'), t.make_tool('o', 'pending', 'Counts horses.'), t.make_tool('o', 'suspect', 'Counts horses.');
select t.read_as('alice');
select is((select count(*) from api.search_past('zebras', '2026-11-11 00:00+00')), 3::bigint, 'found while it may be seen');
select is((select count(*) from api.describe_tool('o__denied', '2026-11-11 00:00+00')), 1::bigint, 'described, too');
select t.act_as_superuser();
update catalog.item set status = 'pending' where name = 'pending';
select catalog.decide_items(array(select x.id from catalog.item as x where x.name = 'suspect'), 'quarantined', '', 1);
select t.read_as('boss', 'qm_admin');
select api.apply_rules('{"default": "allow", "rules": [{"effect": "deny", "subject": "role:user", "tools": ["o__denied"]}]}');
select t.read_as('alice');
select is_empty($$select * from api.search_past('zebras', '2026-11-11 00:00+00')$$, 'denied, waiting and suspect now: not found of then');
select throws_ok($$select * from api.describe_tool('o__denied', '2026-11-11 00:00+00')$$, 'QM404', null, 'nor described');
select is_empty($$select * from catalog.offer$$, 'nor to be read');
select is((select x.items from api.list_origins('2026-11-11 00:00+00') as x), '{}'::jsonb, 'nor counted');
select t.read_as('op', 'qm_operator');
select results_eq($$select x.name from api.search_past('zebras', '2026-11-11 00:00+00') as x$$, array['o__denied'], 'who may see it now finds it');
select results_eq(
    $$select x.name, x.brief from api.review_items('{tool}', as_of => '2026-11-11 00:00+00') as x order by 1$$,
    $$values ('o__denied', 'Counts zebras.'), ('o__pending', 'Counts zebras.'), ('o__suspect', 'Counts zebras.')$$,
    'operators list what was offered, withheld now or not'
);
select t.read_as(null);
select throws_ok($$select * from api.search_past('zebras', '2026-11-11 00:00+00')$$, 'QM403', null, 'nobody');

select * from finish();
rollback;
