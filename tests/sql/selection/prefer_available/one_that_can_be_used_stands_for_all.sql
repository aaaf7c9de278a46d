begin;
select plan(8);

select t.make_origin('first'), t.make_origin('second'), t.make_origin('third');
select t.make_tools('first', 'search'), t.make_tools('second', 'search'), t.make_tools('third', 'search', 'other'), t.make_principal('alice');
create temporary table card as select c.id, c.origin, c.label from search.card as c where c.kind = 'tool';
grant select on card to public;
create function pg_temp.id_of(p_origin text) returns bigint language sql as $$
    select c.id from card as c where c.origin = p_origin and c.label = 'search'
$$;
create function pg_temp.found() returns search.found[] language sql as $$
    select array[
        row(pg_temp.id_of('first'), 0.9, 0, 0, 0, '{}', '{}', null, array[pg_temp.id_of('second'), pg_temp.id_of('third')])::search.found,
        row((select c.id from card as c where c.label = 'other'), 0.5, 0, 0, 0, '{}', '{}', null, null)::search.found
    ]
$$;
create function pg_temp.chosen() returns table (origin text, label text, score real, twins text []) language sql as $$
    select c.origin, c.label, f.score, array(select x.origin from card as x where x.id = any(f.twins) order by x.origin)
    from unnest(selection.prefer_available('tool', pg_temp.found())) with ordinality as f (
        card_id, score, lexical, dense, fuzzy, sources, features, odds, twins, place
    )
    inner join card as c on c.id = f.card_id
    order by f.place
$$;
create function pg_temp.cut_off(variadic p_origins text []) returns void language sql as $$
    update catalog.origin as o
    set (transport, command) = (select case when o.name = any(p_origins) then 'none' else 'stdio' end, case when o.name = any(p_origins) then '{}'::text[] else '{x}' end)
$$;

select is((select array_agg(f) from unnest(selection.prefer_available('tool', pg_temp.found())) as f), pg_temp.found(), 'all can be used: nothing changes');
select pg_temp.cut_off('first');
select results_eq(
    'select c.origin, c.label, c.score, c.twins from pg_temp.chosen() as c',
    $$values ('second', 'search', 0.9::real, '{first,third}'::text []), ('third', 'other', 0.5, '{}')$$, 'the oldest that can be used takes the place'
);
select pg_temp.cut_off('first', 'second');
select is((select c.origin from pg_temp.chosen() as c limit 1), 'third', 'also the last one');
select pg_temp.cut_off('second');
select is((select c.origin from pg_temp.chosen() as c limit 1), 'first', 'a duplicate that cannot be used changes nothing');
select pg_temp.cut_off('first', 'second', 'third');
select is((select c.origin from pg_temp.chosen() as c limit 1), 'first', 'none can be used: the first stays');
select is((select c.twins from pg_temp.chosen() as c limit 1), '{second,third}', 'with its duplicates');
select is(selection.prefer_available('tool', '{}'), '{}', 'of nothing there is nothing');
select is((select count(*) from pg_temp.chosen() as c), 2::bigint, 'no candidate is lost');

select * from finish();
rollback;
