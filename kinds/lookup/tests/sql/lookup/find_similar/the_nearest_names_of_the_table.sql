begin;
select plan(3);

select t.make_lookups(), search.put_model('small', 3, true);
select lookup.switch_vectors(t.lookup_id(n.name), true) from unnest('{plant,place}'::text[]) as n (name);
select search.store_embeddings(
    'small', array_agg('lookup'::text), array_agg(c.text_hash),
    array_agg(case c.name when 'Betula nana' then '[1,0,0]' when 'Betula pendula' then '[0.8,0.6,0]' when 'Umeå' then '[1,0,0]' else '[0,0,1]' end)
)
from search.card as c where c.kind = 'lookup' and c.name <> 'Salix repens';
create function pg_temp.found(p_limit integer) returns text[] language sql as $$
    select array_agg(t.name_of(f.card_id) order by f.place)
    from lookup.find_similar(t.lookup_id('plant'), '[1,0,0]', p_limit) with ordinality as f (card_id, place)
$$;
select is(pg_temp.found(2), '{Betula nana,Betula pendula}', 'the nearest first, none of another table');
select is(cardinality(pg_temp.found(100)), 6, 'a name without a vector is not compared');
update lookup.lookup_table as l set names = 1001 where l.name = 'plant';
select is(pg_temp.found(2), '{Betula nana,Betula pendula}', 'the index of a large table finds the same');

select * from finish();
rollback;
