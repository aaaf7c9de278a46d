begin;
select plan(4);

create function pg_temp.paused(p_provider text) returns interval language sql as
$$select p.paused_until - core.now() from knowledge.provider as p where p.name = p_provider$$;
select t.at('2026-01-01 12:00 UTC');
select service.record_provider_failure('Context7', 'status 503') from generate_series(1, 2);
select is(pg_temp.paused('Context7'), null, 'two failures are no outage');
select service.record_provider_failure('Context7', repeat('x', 400));
select results_eq(
    $$select p.failures, length(p.because), pg_temp.paused(p.name) from knowledge.provider as p$$,
    $$values (3, 300, interval '1 min')$$, 'three are; the text of the last one is cut'
);
select service.record_provider_failure('Context7', 'status 503') from generate_series(1, 20);
select is(pg_temp.paused('Context7'), interval '1 h', 'the pause doubles up to an hour');
select service.record_provider_failure('Another', 'status 429', 90);
select is(pg_temp.paused('Another'), interval '90 s', 'a provider may ask for a pause at its first failure');

select * from finish();
rollback;
