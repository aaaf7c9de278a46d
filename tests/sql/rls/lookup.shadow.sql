begin;
select plan(12);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('op', 'operator');
insert into lookup.shadow (table_id, share) select t.id, 1 from lookup.lookup_table as t;
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "origins": ["place"]}]}');
create temporary table untouched as select * from lookup.shadow;
select policies_are('lookup', 'shadow', array['owner_all', 'user_reads']::name [], 'these policies and no other');
select t.act_as('op', 'qm_operator');
select is(current_user, 'qm_operator', 'as qm_operator');
select results_eq(
    $$select (select t.name from lookup.lookup_table as t where t.id = x.table_id) from lookup.shadow as x$$, array['plant'],
    'sees that of tables that it may see'
);
select throws_ok($$update lookup.shadow set table_id = table_id$$, '42501', null, 'may not change');
select throws_ok($$insert into lookup.shadow (table_id) values (1)$$, '42501', null, 'may not add');
select throws_ok($$delete from lookup.shadow$$, '42501', null, 'may not delete');
select throws_ok($$truncate lookup.shadow$$, '42501', null, 'may not empty');
select t.act_as(null, 'qm_operator');
select is_empty($$select x.table_id from lookup.shadow as x$$, 'without a principal nothing is seen');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select is((select count(*) from lookup.shadow), 1::bigint, 'a user, too, of tables that it may see');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from lookup.shadow as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'lookup.shadow'::regclass;

select * from finish();
rollback;
