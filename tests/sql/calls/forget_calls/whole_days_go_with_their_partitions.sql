begin;
select plan(6);

select t.make_catalog(), t.make_principal('alice');
create function pg_temp.call(p_started timestamptz, p_outcome text default 'ok') returns bigint language sql as $$
    insert into calls.call (started_at, principal_id, instance_id, request_id, kind, ref, version, argument_bytes, outcome, ended_at)
    select p_started, p.id, gen_random_uuid(), 'r', x.kind, x.id, 1, 10, p_outcome, case when p_outcome <> 'pending' then p_started end
    from catalog.item as x cross join policy.principal as p
    where x.public_name = 'time__convert_time' and p.name = 'alice'
    returning id;
$$;
select calls.add_partition('2030-01-01'), calls.add_partition('2030-01-02'), calls.add_partition('2030-01-03');
insert into calls.probe (call_id, item_id, version, example, is_honest, probed_at)
select pg_temp.call('2030-01-01 10:00+00'), x.id, 1, 0, true, '2030-01-01' from catalog.item as x where x.public_name = 'time__convert_time';
select pg_temp.call('2030-01-01 11:00+00'), pg_temp.call('2030-01-02 10:00+00', 'pending'), pg_temp.call('2030-01-02 11:00+00'),
    pg_temp.call('2030-01-03 01:00+00'), pg_temp.call('2030-01-03 11:00+00'), pg_temp.call('2029-01-01 11:00+00');
select is(calls.forget_calls('2030-01-03 10:00+00'), 5::bigint, 'what began before goes');
select is(to_regclass('calls.call_2030_01_01'), null, 'whole days with their table');
select isnt(to_regclass('calls.call_2030_01_02'), null, 'unless a call of theirs is under way');
select results_eq(
    $$select c.started_at, c.outcome from calls.call as c order by 1$$,
    $$values ('2030-01-02 10:00+00'::timestamptz, 'pending'), ('2030-01-03 11:00+00', 'ok')$$, 'that one stays, and what is newer'
);
select is((select count(*) from calls.probe), 0::bigint, 'probes go with their calls');
select is(calls.forget_calls('2030-01-03 10:00+00'), 0::bigint, 'then there is nothing to do');

select * from finish();
rollback;
