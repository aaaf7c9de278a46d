begin;
select plan(2);

select t.make_lookups(), t.make_principal('op', 'operator');
insert into lookup.evaluation (table_id, at, version, profile, pairs, recall_5, mrr, duration_ms)
select t.id, m.at::timestamptz, 1, 'default', 10, m.recall, m.recall, 1
from lookup.lookup_table as t
cross join (values ('2026-01-01 00:00+00', 0.5), ('2026-01-08 00:00+00', 0.75)) as m (at, recall);
select t.act_as('op', 'qm_operator');
select results_eq(
    $$select e.name, e.recall_5, e.recall_5_change from api.list_lookup_evaluations(maximum => 3) as e$$,
    $$values ('place', 0.75::real, 0.25::real), ('plant', 0.75, 0.25), ('place', 0.5, null)$$, 'each beside the run before'
);
select is_empty($$select e.name from api.list_lookup_evaluations('nowhere') as e$$, 'of an unknown table there is none');

select * from finish();
rollback;
