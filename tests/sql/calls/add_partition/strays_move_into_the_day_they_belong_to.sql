begin;
select plan(9);

select t.make_catalog(), t.make_principal('alice');
create function pg_temp.call(p_started timestamptz) returns bigint language sql as $$
    insert into calls.call (started_at, principal_id, instance_id, request_id, kind, ref, version, argument_bytes)
    select p_started, p.id, gen_random_uuid(), 'r', x.kind, x.id, 1, 10
    from catalog.item as x cross join policy.principal as p
    where x.public_name = 'time__convert_time' and p.name = 'alice'
    returning id;
$$;
select t.at('2030-01-01 10:00+00');
select pg_temp.call('2030-01-01 00:00+00'), pg_temp.call('2030-01-01 23:59:59+00'), pg_temp.call('2030-01-02 00:00+00'), pg_temp.call('2029-12-30 12:00+00');
create temporary table before as select c.* from calls.call as c;
select is((select count(*) from calls.call_default), 4::bigint, 'calls of days without a partition are taken all the same');
select is(calls.add_partition('2030-01-01'), true, 'the day is made');
select is((select count(*) from calls.call_2030_01_01), 2::bigint, 'and has its calls, from midnight to midnight in UTC');
select is(calls.add_partition('2030-01-01'), false, 'once');
select is(calls.tend() ->> 'partitions', '3', 'the job makes the next two days, and those of strays');
select is((select count(*) from calls.call_default), 0::bigint, 'so that none is left over');
select set_eq($$select to_jsonb(c) from calls.call as c$$, $$select to_jsonb(b) from before as b$$, 'each call is what it was, once');
select is(
    (select array_agg(c.relrowsecurity and c.relforcerowsecurity) from pg_class as c where c.oid = 'calls.call_2030_01_01'::regclass), '{t}', 'under policies'
);
select t.act_as('alice');
select throws_ok($$select count(*) from calls.call_2030_01_01$$, '42501', null, 'and read through the whole only');

select * from finish();
rollback;
