begin;
select plan(13);

select t.make_principal('alice'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
set constraints all immediate;
insert into audit.cut (last_id, partition, first_id, last_hash, cut_at) values (1, 'record_2020_01', 1, sha256('x'), now());
create temporary table untouched as select * from audit.cut;
select policies_are('audit', 'cut', array['owner_all', 'admin_reads']::name [], 'these policies and no other');
select t.act_as('boss', 'qm_admin');
select is(current_user, 'qm_admin', 'as qm_admin');
select ok(exists (select from audit.cut), 'an administrator reads it');
select throws_ok($$update audit.cut set partition = partition$$, '42501', null, 'may not change');
select throws_ok($$insert into audit.cut select * from audit.cut$$, '42501', null, 'may not add');
select throws_ok($$delete from audit.cut$$, '42501', null, 'may not delete');
select throws_ok($$truncate audit.cut$$, '42501', null, 'may not empty');
select t.act_as(null, 'qm_admin');
select is_empty($$select * from audit.cut$$, 'without a principal nothing is seen');
select t.act_as('op', 'qm_operator');
select is(current_user, 'qm_operator', 'as qm_operator');
select throws_ok($$select * from audit.cut$$, '42501', null, 'an operator reads none');
select t.act_as('alice', 'qm_user');
select throws_ok($$select * from audit.cut$$, '42501', null, 'nor does a user');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from audit.cut as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'audit.cut'::regclass;

select * from finish();
rollback;
