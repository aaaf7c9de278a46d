begin;
select plan(11);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
create temporary table untouched as select * from catalog.offer;
select policies_are('catalog', 'offer', array['owner_all', 'user_reads']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select results_eq($$select v.version from catalog.offer as v$$, array[1, 1, 1, 1], 'sees exactly what it may');
select throws_ok($$update catalog.offer set version = version$$, '42501', null, 'may not change');
select throws_ok($$insert into catalog.offer (item_id, version, valid_from) values (1, 9, now())$$, '42501', null, 'may not add');
select throws_ok($$delete from catalog.offer$$, '42501', null, 'may not delete');
select throws_ok($$truncate catalog.offer$$, '42501', null, 'may not empty');
select t.act_as(null, 'qm_user');
select is(current_user, 'qm_user', 'as qm_user without a principal');
select is_empty($$select v.version from catalog.offer as v$$, 'without a principal nothing is seen');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from catalog.offer as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'catalog.offer'::regclass;

select * from finish();
rollback;
