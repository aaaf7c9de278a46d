begin;
select plan(12);

select t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select t.make_evaluation('kept', '{"kept": 1}');
select t.act_as_superuser();
create temporary table untouched as select * from stats.evaluation;
select policies_are('stats', 'evaluation', array['owner_all', 'operator_reads']::name [], 'these policies and no other');
select t.act_as('op', 'qm_operator');
select is(current_user, 'qm_operator', 'as qm_operator');
select results_eq($$select e.label from stats.evaluation as e$$, array['kept'], 'an operator reads them');
select throws_ok($$update stats.evaluation set label = label$$, '42501', null, 'may not change');
select throws_ok($$insert into stats.evaluation (label) values ('x')$$, '42501', null, 'may not add');
select throws_ok($$delete from stats.evaluation$$, '42501', null, 'may not delete');
select throws_ok($$truncate stats.evaluation$$, '42501', null, 'may not empty');
select t.act_as(null, 'qm_operator');
select is_empty($$select e.label from stats.evaluation as e$$, 'without a principal nothing is seen');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select throws_ok($$select e.label from stats.evaluation as e$$, '42501', null, 'a user reads none');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from stats.evaluation as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'stats.evaluation'::regclass;

select * from finish();
rollback;
