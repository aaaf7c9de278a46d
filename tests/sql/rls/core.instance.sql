begin;
select plan(12);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
insert into core.instance (id, kind, version, pid) values (gen_random_uuid(), 'up', '1', 1);
create temporary table untouched as select * from core.instance;
select policies_are('core', 'instance', array['owner_all', 'operator_reads']::name [], 'these policies and no other');
select t.act_as('op', 'qm_operator');
select is(current_user, 'qm_operator', 'as qm_operator');
select results_eq($$select count(*) from core.instance$$, $$values (1::bigint)$$, 'sees exactly what it may');
select throws_ok($$update core.instance set pid = pid$$, '42501', null, 'may not change');
select throws_ok($$insert into core.instance (id) values (gen_random_uuid())$$, '42501', null, 'may not add');
select throws_ok($$delete from core.instance$$, '42501', null, 'may not delete');
select throws_ok($$truncate core.instance$$, '42501', null, 'may not empty');
select t.act_as('alice');
select throws_ok($$select * from core.instance$$, '42501', null, 'a user may not read it at all');
select t.act_as(null, 'qm_operator');
select is(current_user, 'qm_operator', 'as qm_operator without a principal');
select results_eq($$select count(*) from core.instance$$, $$values (1::bigint)$$, 'reference data is open to every working role');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from core.instance as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'core.instance'::regclass;

select * from finish();
rollback;
