begin;
select plan(11);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:alice", "origins": ["place"]}]}');
create temporary table untouched as select * from lookup.lookup_row;
select policies_are('lookup', 'lookup_row', array['owner_all', 'user_reads']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select results_eq($$select c.value from lookup.lookup_row as c where c.key = '1' order by 1$$, array['Betula pendula'], 'sees exactly what it may');
select throws_ok($$update lookup.lookup_row set value = value$$, '42501', null, 'may not change');
select throws_ok($$insert into lookup.lookup_row (table_id, key, value, content_hash, created_at, updated_at) values (1, 'x', 'x', '', now(), now())$$, '42501', null, 'may not add');
select throws_ok($$delete from lookup.lookup_row$$, '42501', null, 'may not delete');
select throws_ok($$select lookup.put_rows(1, '[]', true)$$, '42501', null, 'nor call what writes it');
select t.act_as(null, 'qm_user');
select is(current_user, 'qm_user', 'as qm_user without a principal');
select is_empty($$select c.* from lookup.lookup_row as c$$, 'without a principal nothing is seen');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from lookup.lookup_row as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'lookup.lookup_row'::regclass;

select * from finish();
rollback;
