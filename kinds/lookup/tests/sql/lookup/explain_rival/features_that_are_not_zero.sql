begin;
select plan(5);

select t.make_lookups();
create function pg_temp.explained(p_has_vectors boolean, p_has_meaning boolean, p_part text) returns text language sql as $$
    select lookup.explain_rival(
        jsonb_populate_record(l, jsonb_build_object('has_vectors', p_has_vectors)),
        array(select (f.name = 'exact')::integer::real from unnest(search.feature_names('lookup')) with ordinality as f (name, place) order by f.place), p_has_meaning
    ) #>> string_to_array(p_part, '.')
    from lookup.lookup_table as l where l.name = 'plant'
$$;
select is(pg_temp.explained(false, false, 'features.exact.value'), '1.0000', 'the value of a feature');
select is(pg_temp.explained(false, false, 'features.cosine'), null, 'one that is zero is left out');
select is(pg_temp.explained(false, true, 'vectors'), 'off', 'a table without vectors');
select is(pg_temp.explained(true, false, 'vectors'), 'query not embedded', 'a query without one');
select is(pg_temp.explained(true, true, 'vectors'), 'compared', 'both have vectors');

select * from finish();
rollback;
