begin;
select plan(3);

select is(
    (
        select max(abs(stats.quantile(array[jsonb_build_object(stats.duration_bucket(m.ms), 1)], 0.5) / m.ms - 1)) <= 0.0200001
        from generate_series(1, 60000, 7) as i cross join lateral (select i * 0.013::float8 as ms) as m
    ), true, 'what a bucket stands for is at most 2 % off'
);
select is(stats.duration_bucket(0), stats.duration_bucket(0.01), 'nothing is shorter than the shortest');
select is(stats.duration_bucket(null), stats.duration_bucket(0), 'nor is what was not timed');

select * from finish();
rollback;
