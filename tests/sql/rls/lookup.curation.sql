begin;
select plan(11);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select api.add_alias('plant', '1', 'silver birch');
select t.act_as_superuser();
create temporary table untouched as select * from lookup.curation;
select policies_are('lookup', 'curation', array['owner_all']::name [], 'this policy and no other');
select isnt_empty($$select * from untouched$$, 'there is something to see');
select t.act_as('alice', 'qm_user');
select throws_ok($$select * from lookup.curation$$, '42501', null, 'users do not read');
select throws_ok($$update lookup.curation set reason = reason$$, '42501', null, 'may not change');
select throws_ok($$insert into lookup.curation (table_id, key, kind, name, curator, curated_at) values (1, '1', 'retirement', 'x', 'x', now())$$, '42501', null, 'may not add');
select throws_ok($$delete from lookup.curation$$, '42501', null, 'may not delete');
select throws_ok($$truncate lookup.curation$$, '42501', null, 'may not empty');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from lookup.curation$$, '42501', null, 'nor do operators');
select throws_ok($$delete from lookup.curation$$, '42501', null, 'or delete');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from lookup.curation as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'lookup.curation'::regclass;

select * from finish();
rollback;
