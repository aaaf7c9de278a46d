begin;
select plan(6);

select t.make_catalog(), t.make_principal('alice');
select t.at('2026-01-01 00:00+00');
select t.act_as('alice');
select results_eq(
    $$select b.unavailable_until, b.is_trial from service.call_begin('time__convert_time', 0, 'r', gen_random_uuid()) as b$$, $$values (null::timestamptz, false)$$,
    'one that never failed is called'
);
select t.act_as_superuser();
select calls.open_breaker(o.id, 'it failed') from catalog.origin as o where o.name = 'time';
select t.act_as('alice');
create temporary table refused as select b.* from service.call_begin('time__convert_time', 0, 'r', gen_random_uuid()) as b;
select results_eq(
    $$select b.unavailable_until, b.unavailable_because from refused as b$$, $$values ('2026-01-01 00:00:10+00'::timestamptz, 'it failed')$$, 'until when, and why'
);
select lives_ok($$select service.call_end(b.call_id, 'unavailable', 0.1) from refused as b$$, 'the call is in the log');
select t.at('2026-01-01 00:00:10+00');
create temporary table tried as select b.* from service.call_begin('time__convert_time', 0, 'r', gen_random_uuid()) as b;
select results_eq(
    $$select b.unavailable_until, b.is_trial from tried as b$$, $$values (null::timestamptz, true)$$, 'when the pause is over one may go, on trial'
);
select isnt((select b.unavailable_until from service.call_begin('time__convert_time', 0, 'r', gen_random_uuid()) as b), null, 'and no other');
select service.call_end(b.call_id, 'ok', 5) from tried as b;
select is((select b.unavailable_until from service.call_begin('time__convert_time', 0, 'r', gen_random_uuid()) as b), null, 'until that one has shown it to be well');

select * from finish();
rollback;
