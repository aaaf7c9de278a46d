begin;
select plan(11);

select t.make_lookups(), t.make_principal('alice');
insert into lookup.source (table_id, relation, id_column, value_column, follows, every) select min(l.id), 'x', 'x', 'x', false, '1 hour' from lookup.lookup_table as l;
insert into lookup.source_change (table_id, key) select s.table_id, 'x' from lookup.source as s;
create temporary table untouched as select * from lookup.source_change;
select policies_are('lookup', 'source_change', array['owner_all']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select throws_ok($$select * from lookup.source_change$$, '42501', null, 'may not read it at all');
select throws_ok($$update lookup.source_change set table_id = table_id$$, '42501', null, 'may not change');
select throws_ok($$insert into lookup.source_change (table_id, key) values (1, 'x')$$, '42501', null, 'may not add');
select throws_ok($$delete from lookup.source_change$$, '42501', null, 'may not delete');
select throws_ok($$truncate lookup.source_change$$, '42501', null, 'may not empty');
select t.act_as(null, 'qm_user');
select is(current_user, 'qm_user', 'as qm_user without a principal');
select throws_ok($$select * from lookup.source_change$$, '42501', null, 'nor without a principal');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from lookup.source_change as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'lookup.source_change'::regclass;

select * from finish();
rollback;
