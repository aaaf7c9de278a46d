begin;
select plan(3);

select t.make_principal('alice'), t.make_origin('o');
select t.at('2026-11-10 00:00+00');
select t.make_tool('o', 'changed', 'Counts zebras.'), t.make_tool('o', 'same', 'Feeds zebras.');
select t.at('2026-11-12 00:00+00');
select t.make_tool('o', 'changed', 'Counts horses.'), t.make_tool('o', 'late', 'Paints zebras.');
create function pg_temp.past(p_goal text) returns table (name text, version integer, is_scored boolean, sources text[]) language sql as $$
    select i.name, s.version, s.score between 0.01 and 1, s.sources
    from catalog.search_past('tool', p_goal, null, '2026-11-11 00:00+00', 10, 10, 10, 40, '{1,1,1}') as s
    inner join catalog.item as i on i.id = s.item_id
    order by i.name;
$$;
select t.read_as('alice');
select results_eq($$select * from pg_temp.past('zebras')$$, $$values ('changed', 1, true, '{lexical}'::text[]), ('same', 1, true, '{lexical}')$$, 'in their versions of then');
select is_empty($$select * from pg_temp.past('horses')$$, 'not in those of today');
select t.read_as(null);
-- Without the join of pg_temp.past: an empty side of a join can keep the other side from being run.
select throws_ok(
    $$select * from catalog.search_past('tool', 'zebras', null, '2026-11-11 00:00+00', 10, 10, 10, 40, '{1,1,1}')$$,
    'QM403', null, 'nobody searches'
);

select * from finish();
rollback;
