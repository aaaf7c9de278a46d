begin;
select plan(13);

select t.make_principal('alice'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
set constraints all immediate;
insert into audit.signature (record_id, hash, public_key, signature, signed_at) values (1, sha256('x'), sha256('x'), sha256('a') || sha256('b'), now());
create temporary table untouched as select * from audit.signature;
select policies_are('audit', 'signature', array['owner_all', 'admin_reads']::name [], 'these policies and no other');
select t.act_as('boss', 'qm_admin');
select is(current_user, 'qm_admin', 'as qm_admin');
select ok(exists (select from audit.signature), 'an administrator reads it');
select throws_ok($$update audit.signature set hash = hash$$, '42501', null, 'may not change');
select throws_ok($$insert into audit.signature select * from audit.signature$$, '42501', null, 'may not add');
select throws_ok($$delete from audit.signature$$, '42501', null, 'may not delete');
select throws_ok($$truncate audit.signature$$, '42501', null, 'may not empty');
select t.act_as(null, 'qm_admin');
select is_empty($$select * from audit.signature$$, 'without a principal nothing is seen');
select t.act_as('op', 'qm_operator');
select is(current_user, 'qm_operator', 'as qm_operator');
select throws_ok($$select * from audit.signature$$, '42501', null, 'an operator reads none');
select t.act_as('alice', 'qm_user');
select throws_ok($$select * from audit.signature$$, '42501', null, 'nor does a user');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from audit.signature as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'audit.signature'::regclass;

select * from finish();
rollback;
