begin;
select plan(12);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('op', 'operator');
insert into lookup.evaluation (table_id, at, version, profile, pairs, duration_ms) select t.id, now(), 1, 'default', 0, 1 from lookup.lookup_table as t;
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "origins": ["place"]}]}');
create temporary table untouched as select * from lookup.evaluation;
select policies_are('lookup', 'evaluation', array['owner_all', 'operator_reads']::name [], 'these policies and no other');
select t.act_as('op', 'qm_operator');
select is(current_user, 'qm_operator', 'as qm_operator');
select results_eq(
    $$select (select t.name from lookup.lookup_table as t where t.id = x.table_id) from lookup.evaluation as x$$, array['plant'],
    'sees that of tables that it may see'
);
select throws_ok($$update lookup.evaluation set table_id = table_id$$, '42501', null, 'may not change');
select throws_ok($$insert into lookup.evaluation (table_id) values (1)$$, '42501', null, 'may not add');
select throws_ok($$delete from lookup.evaluation$$, '42501', null, 'may not delete');
select throws_ok($$truncate lookup.evaluation$$, '42501', null, 'may not empty');
select t.act_as(null, 'qm_operator');
select is_empty($$select x.table_id from lookup.evaluation as x$$, 'without a principal nothing is seen');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select throws_ok($$select x.table_id from lookup.evaluation as x$$, '42501', null, 'a user reads none');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from lookup.evaluation as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'lookup.evaluation'::regclass;

select * from finish();
rollback;
