begin;
select plan(13);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
delete from catalog.scan_rule where name <> 'chat_markup';
create temporary table untouched as select * from catalog.scan_rule;
select policies_are('catalog', 'scan_rule', array['owner_all', 'operator_reads']::name [], 'these policies and no other');
select t.act_as('op', 'qm_operator');
select is(current_user, 'qm_operator', 'as qm_operator');
select results_eq($$select count(*) from catalog.scan_rule as x$$, $$values (1::bigint)$$, 'sees exactly what it may');
select throws_ok($$update catalog.scan_rule set enabled = enabled$$, '42501', null, 'may not change');
select throws_ok($$insert into catalog.scan_rule default values$$, '42501', null, 'may not add');
select throws_ok($$delete from catalog.scan_rule$$, '42501', null, 'may not delete');
select throws_ok($$truncate catalog.scan_rule$$, '42501', null, 'may not empty');
select t.act_as('alice');
select throws_ok($$select * from catalog.scan_rule$$, '42501', null, 'a user may not read it at all');
select throws_ok($$select * from api.scan_items('{tool}')$$, '42501', null, 'nor call what writes it');
select t.act_as(null, 'qm_operator');
select is(current_user, 'qm_operator', 'as qm_operator without a principal');
select is_empty($$select * from catalog.scan_rule as x$$, 'without a principal nothing is seen');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from catalog.scan_rule as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'catalog.scan_rule'::regclass;

select * from finish();
rollback;
