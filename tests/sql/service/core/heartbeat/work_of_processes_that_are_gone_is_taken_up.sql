begin;
select plan(7);

select t.make_catalog(), t.make_principal('op', 'operator');
select t.read_as('op', 'qm_operator');
select t.at('2026-01-01 00:00:00+00');
select service.heartbeat('00000000-0000-0000-0000-00000000000a', 'up', '1', 1, true);
select service.heartbeat('00000000-0000-0000-0000-00000000000b', 'up', '1', 2, true);
select api.request_refresh('time'), api.request_refresh('tracker');
select service.claim_refresh('00000000-0000-0000-0000-00000000000a'), service.claim_refresh('00000000-0000-0000-0000-00000000000b');
select service.call_begin('time__convert_time', 0, 'a', '00000000-0000-0000-0000-00000000000a'), service.call_begin('time__convert_time', 0, 'b', '00000000-0000-0000-0000-00000000000b');
select t.at('2026-01-01 00:00:50+00');
select results_eq($$select * from service.heartbeat('00000000-0000-0000-0000-00000000000b', 'up', '1', 2)$$, $$values (0, 0)$$, 'within its time nothing is taken');
select t.at('2026-01-01 00:01:10+00');
select results_eq($$select * from service.heartbeat('00000000-0000-0000-0000-00000000000b', 'up', '1', 2)$$, $$values (1, 1)$$, 'after it, its refresh and its call');
select set_eq($$select c.request_id || ' ' || c.outcome from calls.call as c$$, array['a lost', 'b pending'], 'the call is lost');
select set_eq($$select r.status from catalog.refresh as r$$, array['requested', 'running'], 'the refresh waits anew');
select results_eq($$select * from service.heartbeat('00000000-0000-0000-0000-00000000000b', 'up', '1', 3, true)$$, $$values (1, 1)$$, 'a process that starts again gives up its own old work');
select set_eq($$select c.outcome from calls.call as c$$, array['lost'], 'all are lost');
select throws_ok($$select service.heartbeat(gen_random_uuid(), 'cron', '1', 1)$$, '23514', null, 'an unknown kind');

select * from finish();
rollback;
