begin;
select plan(2);

select t.at('2026-11-10 00:00+00');
select t.make_origin('o'), t.make_principal('alice');
select t.make_tool('o', 'feed', 'Feeds zebras.'), t.make_tool('o', 'count', 'Counts zebras, and many other things in the garden.');
select t.make_tool('o', 'horse', 'Counts horses.');
select t.at('2026-11-12 00:00+00');
select t.make_tool('o', 'newer', 'Paints zebras.');
select t.at('2026-11-13 00:00+00');

select t.make_rules('{"rules": [{"effect": "deny", "subject": "role:user", "names": "o__count", "reason": "so"}]}');
select t.read_as('alice');
select results_eq(
    $$select p.rank, i.public_name, p.version, p.sources
      from catalog.rank_past('tool', 'zebras', null, '2026-11-11 00:00+00', (select m from selection.mode as m where m.name = 'balanced')) as p
      inner join catalog.item as i on i.id = p.item_id$$,
    $$values (1, 'o__feed', 1, '{lexical}'::text[])$$, 'what was there, without what is hidden'
);
select is(
    (select count(*) from catalog.rank_past('tool', 'zebras', null, core.now(), (select m from selection.mode as m where m.name = 'balanced')) as p),
    2::bigint, 'what is there now'
);

select * from finish();
rollback;
