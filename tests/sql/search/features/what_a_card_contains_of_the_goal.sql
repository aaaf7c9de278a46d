begin;
select plan(5);

select t.make_kind('memo');
select search.put_cards('memo', json_build_array(
    json_build_object('ref', 1, 'name', 'short', 'fields', json_build_array('short', '', 'tango uniform')),
    json_build_object('ref', 2, 'name', 'long', 'fields', json_build_array('long', '', repeat('tango uniform ', 9) || repeat('padding ', 90))),
    json_build_object('ref', 3, 'name', 'half', 'fields', json_build_array('half', '', 'tango')),
    json_build_object('ref', 4, 'name', 'none', 'fields', json_build_array('none', '', 'victor'))
)::jsonb);
create function pg_temp.covered(p_goal text) returns real[] language sql as $$
    select array_agg(round(f.features[array_position(search.feature_names('memo'), 'lexical_coverage')]::numeric, 2) order by c.ref)::real[]
    from search.features('memo', p_goal, null, array(select c.id from search.card as c where c.kind = 'memo')) as f
    inner join search.card as c on c.id = f.card_id;
$$;
select is((pg_temp.covered('tango uniform'))[1:2], '{1,1}'::real[], 'neither the length nor the number of times matters');
select cmp_ok((pg_temp.covered('tango uniform'))[3], '<', 0.5::real, 'the common token weighs less than the rare one');
select is((pg_temp.covered('tango uniform'))[4], 0::real, 'nothing in common');
select is(pg_temp.covered('tango sierra'), '{1,1,1,0}'::real[], 'a token that no card contains counts for nothing');
select is(pg_temp.covered('sierra'), '{0,0,0,0}'::real[], 'no token at all');

select * from finish();
rollback;
