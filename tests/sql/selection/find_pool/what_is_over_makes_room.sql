begin;
select plan(2);

select t.make_catalog(), t.make_principal('alice');
select t.read_as('alice');
select f.is_cached from generate_series(1, 30) as i cross join lateral selection.find_pool('tool', 'goal ' || i, null, selection.require_mode('fast'), '{}') as f;
select t.act_as_superuser();
select is((select count(*) from selection.pool as p), 30::bigint, 'one a goal');
select t.read_as('alice'), t.at(now() + interval '2 minutes');
select f.is_cached from generate_series(31, 33) as i cross join lateral selection.find_pool('tool', 'goal ' || i, null, selection.require_mode('fast'), '{}') as f;
select t.act_as_superuser();
select is((select count(*) from selection.pool as p), 3::bigint, 'the old ones went when new ones came');

select * from finish();
rollback;
