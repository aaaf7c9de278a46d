begin;
select plan(11);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
create temporary table untouched as select * from selection.mode;
select policies_are('selection', 'mode', array['owner_all', 'user_reads']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select results_eq($$select count(*) >= 3 from selection.mode$$, $$values (true)$$, 'sees exactly what it may');
select throws_ok($$update selection.mode set top = top$$, '42501', null, 'may not change');
select throws_ok($$insert into selection.mode (name) values ('x')$$, '42501', null, 'may not add');
select throws_ok($$delete from selection.mode$$, '42501', null, 'may not delete');
select throws_ok($$truncate selection.mode$$, '42501', null, 'may not empty');
select t.act_as(null, 'qm_user');
select is(current_user, 'qm_user', 'as qm_user without a principal');
select results_eq($$select count(*) >= 3 from selection.mode$$, $$values (true)$$, 'reference data is open to every working role');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from selection.mode as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'selection.mode'::regclass;

select * from finish();
rollback;
