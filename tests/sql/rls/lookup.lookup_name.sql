begin;
select plan(11);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:alice", "origins": ["place"]}]}');
create temporary table untouched as select * from lookup.lookup_name;
select policies_are('lookup', 'lookup_name', array['owner_all', 'user_reads']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select results_eq($$select c.short from lookup.lookup_name as c inner join lookup.lookup_row as r on r.id = c.row_id where r.key = '2'$$, array['b nana'], 'sees exactly what it may');
select throws_ok($$update lookup.lookup_name set stem = stem$$, '42501', null, 'may not change');
select throws_ok($$insert into lookup.lookup_name (row_id, table_id, is_alias, short, stem) values (1, 1, false, 'x', 'x')$$, '42501', null, 'may not add');
select throws_ok($$delete from lookup.lookup_name$$, '42501', null, 'may not delete');
select throws_ok($$select lookup.put_rows(1, '[]', true)$$, '42501', null, 'nor call what writes it');
select t.act_as(null, 'qm_user');
select is(current_user, 'qm_user', 'as qm_user without a principal');
select is_empty($$select c.* from lookup.lookup_name as c$$, 'without a principal nothing is seen');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from lookup.lookup_name as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'lookup.lookup_name'::regclass;

select * from finish();
rollback;
