begin;
select plan(10);

select t.make_lookups(), t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select results_eq($$select r.result, r.failure from api.run_job('evaluate_lookups') as r$$, $$values ('{"tables": 0, "pairs": 0}'::jsonb, null::text)$$, 'nothing to measure');
select count(*) from api.load_lookup_gold('plant', '[
    {"query": "Betula nana", "expected": ["2"]}, {"query": "B. pendula", "expected": ["3"], "properties": {"family": "Poaceae"}},
    {"query": "Betula pendula Roth", "expected": ["1"]}, {"query": "Zzyzx road", "expected": []}
]');
select results_eq($$select r.result, r.failure from api.run_job('evaluate_lookups') as r$$, $$values ('{"tables": 1, "pairs": 4}'::jsonb, null::text)$$, 'measured, nothing to warn of');
select results_eq(
    $$select e.name, e.pairs, e.recall_1, e.recall_5, e.mrr, e.ndcg, e.silence, e.recall_5_change from api.list_lookup_evaluations('plant') as e$$,
    $$values ('plant', 4, 1::real, 1::real, 1::real, 1::real, 1::real, null::real)$$, 'all right, and silent where nothing is'
);
select t.act_as_superuser();
update lookup.gold set expected = '{3}' where query = 'Betula nana';
update core.setting set value = '0.2' where name = 'lookup.fall';
select t.act_as('op', 'qm_operator');
select ok((select r.result ->> 'warning' from api.run_job('evaluate_lookups') as r) like 'plant: Recall@5 1.000 to %', 'a fall is told');
select ok((select e.mrr_change < -0.2 and e.recall_1 < 0.7 from api.list_lookup_evaluations('plant', 1) as e), 'beside the run before');
select ok((select not r.result ? 'warning' from api.run_job('evaluate_lookups') as r), 'once');
select t.act_as_superuser();
update core.setting set value = '2' where name = 'lookup.gold_pairs';
select t.act_as('op', 'qm_operator');
select is((select r.result -> 'pairs' from api.run_job('evaluate_lookups') as r), '2', 'no more than set');
select t.act_as_superuser();
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:op", "origins": ["plant"]}]}');
select t.act_as('op', 'qm_operator');
select is((select r.result -> 'tables' from api.run_job('evaluate_lookups') as r), '0', 'what may not be seen is not measured');
select is_empty($$select * from api.list_lookup_evaluations()$$, 'nor shown');
select t.act_as('op', 'qm_user');
select throws_ok($$select * from api.list_lookup_evaluations()$$, '42501', null, 'a user sees none');

select * from finish();
rollback;
