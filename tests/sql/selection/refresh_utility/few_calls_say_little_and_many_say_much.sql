begin;
select plan(10);

select t.make_catalog(), t.make_principal('alice');
create function pg_temp.call(p_tool text, p_outcome text, p_times integer, p_ms real default 100, p_age interval default '1 hour') returns void language sql as $$
    insert into calls.call (started_at, principal_id, instance_id, request_id, kind, ref, version, argument_bytes, outcome, ended_at, duration_ms)
    select core.now() - p_age, (select p.id from policy.principal as p where p.name = 'alice'), gen_random_uuid(), 'r', x.kind, x.id, 1, 0, p_outcome,
        case when p_outcome <> 'pending' then core.now() end, p_ms
    from catalog.item as x cross join generate_series(1, p_times) where x.public_name = p_tool;
$$;
create function pg_temp.utility(p_tool text) returns selection.utility language sql as $$
    select u from selection.utility as u inner join catalog.item as x on x.id = u.ref where x.public_name = p_tool;
$$;
select is(selection.refresh_utility(), 0, 'no call, nothing known');
select pg_temp.call('time__get_current_time', 'ok', 80), pg_temp.call('time__convert_time', 'ok', 1, 10000), pg_temp.call('tracker__create_ticket', 'timeout', 19);
select pg_temp.call('tracker__listTickets', o.outcome, 5) from unnest('{invalid_arguments,cancelled,busy,lost,internal,pending}'::text[]) as o (outcome);
select pg_temp.call('time__convert_time', 'tool_error', 9, 100, '31 days');
select is(stats.count_calls(), 134::bigint, 'counted by the hour');
select is(selection.refresh_utility(), 3, 'three were called');
select is((pg_temp.utility('tracker__listTickets')).calls, null, 'the caller''s faults, ours, and what is pending do not count, nor what is long ago');
select results_eq(
    $$select u.calls, u.successes, round(u.success_rate::numeric, 3) from selection.utility as u order by u.calls$$,
    $$values (1, 1, round(((1 + 20 * 0.81) / 21)::numeric, 3)), (19, 0, round((20 * 0.81 / 39)::numeric, 3)), (80, 80, round(((80 + 20 * 0.81) / 100)::numeric, 3))$$,
    'rates shrunk towards that of all, 81 of 100, by 20 average calls'
);
select ok((pg_temp.utility('time__convert_time')).success_gain between 0 and 0.01, 'one success says little');
select ok((pg_temp.utility('tracker__create_ticket')).success_gain < -0.3, 'nineteen failures say much');
select ok((pg_temp.utility('time__convert_time')).latency_loss > 0, 'slower than the others');
delete from stats.call_hour where outcome = 'timeout';
select t.at(now() + interval '1 minute');
select is(selection.refresh_utility(), 2, 'a tool without calls');
select is((pg_temp.utility('tracker__create_ticket')).calls, null, 'has no row');

select * from finish();
rollback;
