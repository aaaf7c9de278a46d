begin;
select plan(12);

select t.make_principal('alice'), t.make_principal('boss', 'admin');
select t.act_as('boss', 'qm_admin');
select api.bind_subject('alice', 'iss', 'sub');
select t.act_as_superuser();
create temporary table untouched as select * from policy.identity;
select policies_are('policy', 'identity', array['owner_all']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select throws_ok($$select * from policy.identity$$, '42501', null, 'may not read it at all');
select throws_ok($$update policy.identity set subject = subject$$, '42501', null, 'may not change');
select throws_ok($$insert into policy.identity (issuer, subject, principal_id) values ('x', 'x', 1)$$, '42501', null, 'may not add');
select throws_ok($$delete from policy.identity$$, '42501', null, 'may not delete');
select throws_ok($$truncate policy.identity$$, '42501', null, 'may not empty');
select t.act_as('boss', 'qm_admin');
select throws_ok($$select * from policy.identity$$, '42501', null, 'nor may an administrator');
select t.act_as(null, 'qm_user');
select is(current_user, 'qm_user', 'as qm_user without a principal');
select throws_ok($$select * from policy.identity$$, '42501', null, 'nor without a principal');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from policy.identity as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'policy.identity'::regclass;

select * from finish();
rollback;
