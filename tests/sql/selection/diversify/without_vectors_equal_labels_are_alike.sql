begin;
select plan(2);

select t.make_origin('one'), t.make_origin('two'), t.make_principal('alice');
select t.make_tool('one', 'search'), t.make_tool('two', 'search'), t.make_tool('two', 'write');
create function pg_temp.shown(p_lambda real) returns text[] language sql as $$
    select array_agg(t.name_of(d.card_id) order by d.rank)
    from selection.diversify(
        (select array_agg((c.id, c.ref, 0, null, 0, null, null, null, case c.name when 'one__search' then 1 when 'two__search' then 0.9 else 0.7 end, 10, null, null, null, null, null)::selection.candidate)
        from search.card as c where c.kind = 'tool'), p_lambda, 2, 2
    ) as d;
$$;
select t.read_as('alice');
select is(pg_temp.shown(0), '{one__search, two__search}', 'by value');
select is(pg_temp.shown(0.3), '{one__search, two__write}', 'one of each name');

select * from finish();
rollback;
