begin;
select plan(6);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('alice');
select throws_ok($$select * from api.run_feedback()$$, '42501', null, 'users do not');
select t.at('2026-01-01 10:00+00');
select count(*) from api.select_tools('ticket');
select t.act_as('op', 'qm_operator');
select t.at('2026-01-01 11:00+00');
select api.heartbeat('00000000-0000-0000-0000-000000000001', 'up', '1', 1, true);
select results_eq($$select * from api.run_feedback('00000000-0000-0000-0000-000000000002')$$, $$values (0, 0)$$, 'a process that does not lead has nothing to do');
select results_eq($$select * from api.run_feedback('00000000-0000-0000-0000-000000000001')$$, $$values (1, 0)$$, 'the leading one learns');
select results_eq($$select * from api.run_feedback()$$, $$values (0, 0)$$, 'until nothing is left');
select t.act_as_superuser();
select is_empty($$select * from selection.pool as p where p.expires_at < '2026-01-01 11:00+00'$$, 'what was remembered for too long is gone');
select isnt((select r.learned_at from selection.receipt as r), null, 'the receipt says so');

select * from finish();
rollback;
