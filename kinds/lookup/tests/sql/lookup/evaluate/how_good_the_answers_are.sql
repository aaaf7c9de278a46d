begin;
select plan(3);

select t.make_lookups(), t.make_principal('alice');
insert into lookup.gold (table_id, query, expected)
values (t.lookup_id('plant'), 'Betula nana', '{2}'), (t.lookup_id('plant'), 'Betula pendula', '{3}'), (t.lookup_id('plant'), 'Xyzzy quux', '{}');
create function pg_temp.evaluated(p_most integer) returns lookup.evaluation language sql security definer as $$
    select * from lookup.evaluate(t.lookup_id('plant'), p_most)
$$;
select t.act_as('alice');
select results_eq(
    $$select e.profile, e.pairs, e.recall_1, e.recall_5, e.silence from pg_temp.evaluated(10) as e$$,
    $$values ('default', 3, 0.5::real, 1::real, 1::real)$$, 'one of two is first, both are among the first, and nothing is found where nothing is right'
);
select is((select e.pairs from pg_temp.evaluated(2) as e), 2, 'no more pairs than wanted');
select t.act_as_superuser();
select is((select count(*) from lookup.evaluation), 2::bigint, 'each is stored');

select * from finish();
rollback;
