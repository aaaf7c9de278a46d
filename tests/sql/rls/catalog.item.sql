begin;
select plan(12);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
create temporary table untouched as select * from catalog.item;
select policies_are('catalog', 'item', array['operator_reads', 'owner_all', 'user_reads']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select results_eq($$select count(*) from catalog.item as t$$, $$values (4::bigint)$$, 'sees exactly what it may');
select throws_ok($$update catalog.item set brief = brief$$, '42501', null, 'may not change');
select throws_ok($$insert into catalog.item (origin_id, kind, name, public_name, definition, content_hash) values (1, 'tool', 'x', 'x__x', '{}', '')$$, '42501', null, 'may not add');
select throws_ok($$delete from catalog.item$$, '42501', null, 'may not delete');
select throws_ok($$truncate catalog.item$$, '42501', null, 'may not empty');
select throws_ok($$select * from catalog.put_items('tool', '{}', '{}')$$, '42501', null, 'nor call what writes it');
select t.act_as(null, 'qm_user');
select is(current_user, 'qm_user', 'as qm_user without a principal');
select is_empty($$select t.id from catalog.item as t$$, 'without a principal nothing is seen');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from catalog.item as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'catalog.item'::regclass;

select * from finish();
rollback;
