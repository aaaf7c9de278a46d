begin;
select plan(6);

select t.make_lookups(), t.make_principal('alice');
create function pg_temp.feature(p_query text, p_name text, p_feature text) returns real language sql security definer as $$
    select f.features[array_position(search.feature_names('lookup'), p_feature)]
    from lookup.features(
        lookup.read_query(p_query, null, jsonb_build_object('table', t.lookup_id('plant'))),
        array(select c.id from search.card as c where c.kind = 'lookup' and c.origin = 'plant'), 10, true, null
    ) as f
    where f.label = p_name
$$;
select t.act_as('alice');
select is(pg_temp.feature('BETULA  nana', 'betula nana', 'exact'), 1::real, 'the same after normalisation');
select is(pg_temp.feature('Betula nana', 'betula pendula', 'exact'), 0::real, 'another name');
select is(pg_temp.feature('Betula nana', 'betula pendula', 'first_equal'), 1::real, 'which begins with the same word');
select is(pg_temp.feature('vartbjork', 'vartbjork', 'alias'), 1::real, 'an alias');
select is(pg_temp.feature('B. nana', 'betula nana', 'short_equal'), 1::real, 'an abbreviation');
select is(pg_temp.feature('Betula alba', 'betula alba', 'exact'), null, 'a retired row is not compared');

select * from finish();
rollback;
