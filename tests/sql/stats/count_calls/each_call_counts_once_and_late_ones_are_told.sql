begin;
select plan(9);

select t.make_catalog(), t.make_principal('alice');
delete from stats.watermark;
create function pg_temp.call(p_tool text, p_started timestamptz, p_outcome text default 'ok', p_ms real default 100, p_replayed timestamptz default null)
returns bigint language sql as $$
    insert into calls.call (
        started_at, principal_id, instance_id, request_id, kind, ref, version, argument_bytes, outcome, ended_at, duration_ms, result_bytes, replayed_at
    )
    select p_started, p.id, gen_random_uuid(), 'r', x.kind, x.id, 1, 10, p_outcome,
        case when p_outcome <> 'pending' then p_started + make_interval(secs => p_ms / 1000) end, p_ms, 1000, p_replayed
    from catalog.item as x cross join policy.principal as p
    where x.public_name = p_tool and p.name = 'alice'
    returning id;
$$;
select t.at('2026-01-01 12:30+00');
select pg_temp.call('time__convert_time', '2026-01-01 10:59:59+00', 'ok', 2000), pg_temp.call('time__convert_time', '2026-01-01 11:00+00'),
    pg_temp.call('time__convert_time', '2026-01-01 12:00+00', 'timeout', 60000), pg_temp.call('time__convert_time', '2026-01-01 12:29+00', 'pending');
select is(stats.count_calls(), 3::bigint, 'what has ended is counted');
select results_eq(
    $$select h.hour, h.outcome, h.calls, h.duration_ms, h.argument_bytes, h.result_bytes, h.largest_bytes, h.durations from stats.call_hour as h order by h.hour$$,
    $$values
        ('2026-01-01 10:00+00'::timestamptz, 'ok', 1, 2000::float8, 10::bigint, 1000::bigint, 1000::bigint, jsonb_build_object(stats.duration_bucket(2000), 1)),
        ('2026-01-01 11:00+00', 'ok', 1, 100, 10, 1000, 1000, jsonb_build_object(stats.duration_bucket(100), 1)),
        ('2026-01-01 12:00+00', 'timeout', 1, 60000, 10, 1000, 1000, jsonb_build_object(stats.duration_bucket(60000), 1))$$,
    'in the hour in which it began'
);
select t.at('2026-01-01 12:35+00');
select stats.count_calls(), stats.count_calls();
select is((select sum(h.calls) from stats.call_hour as h), 3::bigint, 'counted again, nothing counts twice');
select is((select w.late from stats.watermark as w where w.name = 'calls'), 0::bigint, 'nothing is late');
update calls.call set outcome = 'ok', ended_at = '2026-01-01 12:36+00' where outcome = 'pending';
select t.at('2026-01-01 12:40+00');
select stats.count_calls();
select is((select sum(h.calls) from stats.call_hour as h where h.hour = '2026-01-01 12:00+00'), 2::bigint, 'what ends later counts then');
select t.at('2026-01-02 00:00+00');
select stats.count_calls();
select pg_temp.call('time__convert_time', '2026-01-01 11:30+00', 'ok', 100, '2026-01-02 00:01+00');
select t.at('2026-01-02 00:05+00');
select stats.count_calls();
select is((select sum(h.calls) from stats.call_hour as h where h.hour = '2026-01-01 11:00+00'), 2::bigint, 'what was replayed counts in its hour');
select is((select w.late from stats.watermark as w where w.name = 'calls'), 1::bigint, 'and is told as late');
select is((select w.counted_to from stats.watermark as w where w.name = 'calls'), '2026-01-02 00:05+00'::timestamptz, 'counted to now');
insert into calls.probe (call_id, item_id, version, example, probed_at)
select pg_temp.call('time__convert_time', '2026-01-02 00:05+00'), x.id, 1, 0, now() from catalog.item as x where x.public_name = 'time__convert_time';
select t.at('2026-01-02 00:06+00');
select stats.count_calls();
select is((select sum(h.calls) from stats.call_hour as h), 5::bigint, 'a probe is no use of a tool');

select * from finish();
rollback;
