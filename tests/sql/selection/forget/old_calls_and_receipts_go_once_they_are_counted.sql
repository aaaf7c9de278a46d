begin;
select plan(7);

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
select t.at('2026-01-01 10:00+00');
select t.act_as('alice');
select count(*) from api.select_tools('ticket');
select t.act_as_superuser();
select pg_temp.call('time__convert_time', '2026-01-01 10:00+00'), pg_temp.call('time__convert_time', '2026-01-01 10:00+00', 'pending'),
    pg_temp.call('time__convert_time', '2026-06-01 10:00+00');
update core.setting set value = '"0"' where name in ('call.keep', 'receipt.keep');
select t.at('2026-06-01 12:00+00');
select is(selection.forget(), '{"calls": 0, "receipts": 0}', 'nothing goes where all is kept');
update core.setting set value = '"90 days"' where name in ('call.keep', 'receipt.keep');
select is(selection.forget(), '{"calls": 1, "receipts": 0}', 'what ended long ago goes; a receipt only when it was learned from');
select is((select count(*) from calls.call as c), 2::bigint, 'what is under way stays, and what is new');
select selection.learn();
select is(selection.forget(), '{"calls": 0, "receipts": 1}', 'then it goes, too');
select is((select sum(h.calls) from stats.call_hour as h), 2::bigint, 'the counts stay');
select is((select sum(h.selections) from stats.selection_hour as h), 1::bigint, 'of both');
select pg_temp.call('time__convert_time', '2026-01-01 10:30+00', 'ok', 100, '2026-06-01 11:59+00'), stats.count_calls();
select is((select sum(h.calls) from stats.call_hour as h), 2::bigint, 'hours whose log is gone are not counted anew');

select * from finish();
rollback;
