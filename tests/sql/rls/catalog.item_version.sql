begin;
select plan(11);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
create temporary table untouched as select * from catalog.item_version;
select policies_are('catalog', 'item_version', array['operator_reads', 'owner_all', 'user_reads']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select results_eq($$select v.version from catalog.item_version as v$$, array[1, 1, 1, 1], 'sees exactly what it may');
select throws_ok($$update catalog.item_version set version = version$$, '42501', null, 'may not change');
select throws_ok($$insert into catalog.item_version values (1, 9, now(), null, '', '{}')$$, '42501', null, 'may not add');
select throws_ok($$delete from catalog.item_version$$, '42501', null, 'may not delete');
select throws_ok($$truncate catalog.item_version$$, '42501', null, 'may not empty');
select t.act_as(null, 'qm_user');
select is(current_user, 'qm_user', 'as qm_user without a principal');
select is_empty($$select v.version from catalog.item_version as v$$, 'without a principal nothing is seen');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from catalog.item_version as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'catalog.item_version'::regclass;

select * from finish();
rollback;
