begin;
select plan(7);

select t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select t.at('2026-01-02 12:30+00');
insert into stats.selection_hour (hour, kind, principal_id, mode, selections, empty, offered, tokens_sent, tokens_full, duration_ms, durations)
select '2026-01-02 10:00+00', 'tool', p.id, h.mode, h.selections, 1, 5 * h.selections, 100 * h.selections, 1000 * h.selections, 10 * h.selections,
    jsonb_build_object(stats.duration_bucket(10), h.selections)
from (values ('alice', 'fast', 3), ('alice', 'balanced', 1), ('bob', 'fast', 7)) as h (principal, mode, selections)
inner join policy.principal as p on p.name = h.principal;
select t.act_as(null);
select throws_ok($$select * from api.list_selection_statistics()$$, 'QM403', null, 'nobody sees nothing');
select t.act_as('alice');
select results_eq(
    $$select s.name, s.period, s.selections, s.empty, s.offered, s.tokens_sent, s.tokens_full, s.spared, round(s.p50_ms::numeric, -1), round(s.p95_ms::numeric, -1) from api.list_selection_statistics() as s$$,
    $$values ('fast', null::timestamptz, 3::bigint, 1::bigint, 15::bigint, 300::bigint, 3000::bigint, 0.9::real, 10::numeric, 10::numeric),
        ('balanced', null, 1, 1, 5, 100, 1000, 0.9, 10, 10)$$, 'a user sees its own'
);
select results_eq($$select s.name, s.period from api.list_selection_statistics('principal', per => 'day') as s$$, $$values ('alice', '2026-01-02 00:00+00'::timestamptz)$$, 'by principal and day');
select is_empty($$select * from api.list_selection_statistics(since => '2026-01-02 11:00+00')$$, 'nothing since');
select throws_ok($$select * from api.list_selection_statistics('tool')$$, 'QM422', null, 'not by tool');
select t.act_as('op', 'qm_operator');
select is((select sum(s.selections) from api.list_selection_statistics() as s), 11::numeric, 'an operator sees all');
select t.act_as('boss', 'qm_admin');
select results_eq($$select s.name, s.selections from api.list_selection_statistics('principal') as s$$, $$values ('bob', 7::bigint), ('alice', 4)$$, 'and an administrator, who made them');

select * from finish();
rollback;
