begin;
select plan(4);

create temporary table drawn as
select exp(5 * sqrt(((i * 7919) % 10007) / 10007.0))::float8 as ms from generate_series(1, 10007) as i;
create function pg_temp.off(p_share double precision) returns numeric language sql as $$
    select round((abs(
        (select stats.quantile(array_agg(jsonb_build_object(stats.duration_bucket(d.ms), 1)), p_share) from drawn as d)
        / (select percentile_disc(p_share) within group (order by d.ms) from drawn as d) - 1
    ))::numeric, 4);
$$;
select ok(pg_temp.off(0.5) <= 0.02, 'the median');
select ok(pg_temp.off(0.95) <= 0.02, 'the 95th percentile');
select is(stats.quantile(array['{"3": 1, "1": 2}', '{"3": 1}']::jsonb[], 0.5), stats.quantile(array['{"1": 1}']::jsonb[], 0.5), 'buckets in any order, also twice');
select is(stats.quantile('{}', 0.5), null, 'of nothing there is none');

select * from finish();
rollback;
