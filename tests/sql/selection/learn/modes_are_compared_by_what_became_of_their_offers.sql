begin;
select plan(3);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
insert into selection.receipt (created_at, principal_id, kind, goal, mode, mode_label, offered, duration_ms, learned_at)
select now(), p.id, 'tool', 'goal ' || i, 'fast', case when i <= 2 then 'fast/canary' else 'fast/own' end, '[{"rank": 1}, {"rank": 2}]', 10 * i, now()
from policy.principal as p cross join generate_series(1, 6) as i where p.name = 'alice';
insert into selection.outcome (receipt_id, ref, rank, calls, successes)
select r.id, 1, 2, 3, case when r.goal = 'goal 4' then 0 else 1 end from selection.receipt as r where r.goal in ('goal 1', 'goal 3', 'goal 4');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from selection.mode_outcome$$, '42501', null, 'not for operators: it reads everybody''s receipts');
select t.act_as('boss', 'qm_admin');
select results_eq(
    $$select o.mode_label, o.selections, o.offers, o.called, o.called_share, o.success_share, o.mean_rank, o.mean_ms from selection.mode_outcome as o order by 1$$,
    $$values ('fast/canary', 2::bigint, 4::bigint, 1::bigint, 0.5000, 1.0000, 2.00, 15.00), ('fast/own', 4, 8, 2, 0.5000, 0.5000, 2.00, 45.00)$$, 'one row a profile'
);
select t.act_as(null, 'qm_admin');
select is_empty($$select * from selection.mode_outcome$$, 'without a principal nothing is seen');

select * from finish();
rollback;
