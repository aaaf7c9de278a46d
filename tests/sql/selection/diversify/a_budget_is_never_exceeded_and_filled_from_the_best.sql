begin;
select plan(6);

select t.make_kind('test_kind'), t.make_principal('alice');
select t.make_card('test_kind', i, 'card ' || i, 'text ' || i) from generate_series(1, 5) as i;
create function pg_temp.shown(p_budget integer, p_lambda real default 0, p_top integer default 5) returns bigint[] language sql as $$
    select array_agg(t.ref_of(d.card_id) order by d.rank)
    from selection.diversify(
        (select array_agg((c.id, c.ref, 0, null, 0, null, null, null, 1 - c.ref * 0.1, (array[50, 100, 30, 30, 5])[c.ref], null, null, null, null, null)::selection.candidate) from search.card as c where c.kind = 'test_kind'),
        p_lambda, 5, p_top, p_budget
    ) as d;
$$;
select t.read_as('alice');
select is(pg_temp.shown(1000), '{1, 2, 3, 4, 5}', 'all fit');
select is(pg_temp.shown(100), '{1, 3, 5}', 'one that does not fit is passed over, the next that does is taken');
select is(pg_temp.shown(100, 0.3), '{1, 3, 5}', 'with diversity too');
select is(pg_temp.shown(100, 0, 2), '{1, 3}', 'no more than asked for');
select is(pg_temp.shown(5), '{5}', 'the only one that fits');
select is(pg_temp.shown(4), null, 'none fits');

select * from finish();
rollback;
