begin;
select plan(6);

select t.make_origin('o');
select t.at('2026-01-01 12:00+00');
select t.make_tool('o', 'x', 'one');
select t.at('2026-01-02 12:00+00');
select results_eq($$select p.outcome from t.put_tools('[{"origin": "o", "name": "x", "description": "one"}]') as p$$, array['unchanged'], 'the same again');
select is((select t.last_seen_at from catalog.item as t), '2026-01-02 12:00+00'::timestamptz, 'it was seen');
select t.at('2026-01-03 12:00+00');
select results_eq($$select p.outcome from t.put_tools('[{"origin": "o", "name": "x", "description": "two"}]') as p$$, array['changed'], 'another description');
select results_eq(
    $$select v.version, v.valid_from, v.valid_to, v.definition ->> 'description' from catalog.item_version as v order by v.version$$,
    $$values (1, '2026-01-01 12:00+00'::timestamptz, '2026-01-03 12:00+00'::timestamptz, 'one'), (2, '2026-01-03 12:00+00', null, 'two')$$, 'two versions, one after the other'
);
select is((select t.first_seen_at from catalog.item as t), '2026-01-01 12:00+00'::timestamptz, 'first seen when it was');
select ok((select l.document @@ 'two' and not l.document @@ 'one' from search.lexical as l), 'the card follows');

select * from finish();
rollback;
