begin;
select plan(3);

select t.make_catalog(), t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select service.heartbeat('00000000-0000-0000-0000-00000000000a', 'up', '1', 1, true);
select
    service.call_begin('time__convert_time', 0, 'there', '00000000-0000-0000-0000-00000000000a'),
    service.call_begin('time__convert_time', 0, 'gone', '00000000-0000-0000-0000-00000000000b');

select t.act_as_superuser();
select is(calls.lose_calls(), 1, 'the one whose process is not known');
select set_eq(
    $$select c.request_id || ' ' || c.outcome from calls.call as c$$, array['there pending', 'gone lost'], 'and no other'
);
select is(
    calls.lose_calls('00000000-0000-0000-0000-00000000000a'), 1, 'a process that started anew gives up its own'
);

select * from finish();
rollback;
