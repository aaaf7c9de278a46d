begin;
select plan(5);

select t.make_project('shop', 'alice');
select t.make_decisions('shop', t.candidate('Canonical.'));
select t.act_as('alice', 'qm_user');
select api.put_candidates(jsonb_build_array(
    t.candidate('Low.', '{"confidence": "low"}'), t.candidate('Important.', '{"importance": 7}'), t.candidate('High.'), t.candidate('Elsewhere.', '{"scope": {"kind": "path", "value": "lib/**"}}')
));
create function pg_temp.listed(variadic p_arguments text[] default '{}') returns text[] language sql as $$
    select array_agg(f.shown ->> 'pattern') from api.find_decisions(status => p_arguments[1], path => p_arguments[2], health => p_arguments[3]) as f (shown);
$$;
select is(pg_temp.listed(), '{Canonical.,Important.,High.,Elsewhere.,Low.}', 'canonical first, then by importance and confidence');
select is(pg_temp.listed('candidate'), '{Important.,High.,Elsewhere.,Low.}', 'of one status');
select is(pg_temp.listed(null, 'lib/a.py'), '{Elsewhere.}', 'about one path');
select is(pg_temp.listed(null, null, 'suspect'), null, 'of one health');
select is((select count(*) from api.find_decisions(maximum => 2)), 2::bigint, 'so many');

select * from finish();
rollback;
