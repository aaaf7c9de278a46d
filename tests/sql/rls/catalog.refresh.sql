begin;
select plan(13);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select catalog.request_refresh(catalog.origin_id('time'));
create temporary table untouched as select * from catalog.refresh;
select policies_are('catalog', 'refresh', array['owner_all', 'operator_reads']::name [], 'these policies and no other');
select t.act_as('op', 'qm_operator');
select is(current_user, 'qm_operator', 'as qm_operator');
select results_eq($$select r.status from catalog.refresh as r$$, array['requested'], 'sees exactly what it may');
select throws_ok($$update catalog.refresh set status = status$$, '42501', null, 'may not change');
select throws_ok($$insert into catalog.refresh (origin_id) values (1)$$, '42501', null, 'may not add');
select throws_ok($$delete from catalog.refresh$$, '42501', null, 'may not delete');
select throws_ok($$truncate catalog.refresh$$, '42501', null, 'may not empty');
select t.act_as('alice');
select throws_ok($$select * from catalog.refresh$$, '42501', null, 'a user may not read it at all');
select throws_ok($$select api.request_refresh()$$, '42501', null, 'nor ask for one');
select t.act_as(null, 'qm_operator');
select is(current_user, 'qm_operator', 'as qm_operator without a principal');
select is_empty($$select r.status from catalog.refresh as r$$, 'without a principal nothing is seen');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from catalog.refresh as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'catalog.refresh'::regclass;

select * from finish();
rollback;
