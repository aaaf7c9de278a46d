begin;
select plan(3);

select t.make_catalog(), t.make_principal('alice');
select t.read_as('alice');
select t.at('2026-02-03 04:05:06+00');
create temporary table found as select f.* from api.search_cards('open a ticket', '{tool}', session => 's1') as f;
select results_eq(
    $$select r.kind, r.goal, r.mode, r.session, r.created_at from selection.receipt as r$$,
    $$values ('tool', 'open a ticket', 'balanced', 's1', '2026-02-03 04:05:06+00'::timestamptz)$$, 'what was asked'
);
select results_eq(
    $$select (o ->> 'rank')::integer, o ->> 'name', o -> 'scores' from selection.receipt as r cross join jsonb_array_elements(r.offered) as o order by 1$$,
    $$select f.rank, f.name, f.scores from found as f order by 1$$, 'what was offered'
);
select ok((select r.duration_ms > 0 from selection.receipt as r), 'how long it took');

select * from finish();
rollback;
