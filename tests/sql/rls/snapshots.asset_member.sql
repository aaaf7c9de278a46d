begin;
select plan(12);

select t.make_assets(), t.make_principal('op', 'operator'), t.make_principal('root', 'admin');
select t.act_as('root', 'qm_admin');
select count(*) from api.create_snapshot('monday');
select t.act_as_superuser();
create temporary table untouched as select * from snapshots.member;
select policies_are('snapshots', 'asset_member', array['owner_all', 'admin_reads']::name [], 'these policies and no other');
select t.act_as('root', 'qm_admin');
select is(current_user, 'qm_admin', 'as qm_admin');
select isnt_empty($$select x.version from snapshots.member as x$$, 'an administrator reads them');
select throws_ok($$update snapshots.member set version = version$$, '42501', null, 'may not change');
select throws_ok($$insert into snapshots.member (version) values (null)$$, '42501', null, 'may not add');
select throws_ok($$delete from snapshots.member$$, '42501', null, 'may not delete');
select throws_ok($$truncate snapshots.member cascade$$, '42501', null, 'may not empty');
select t.act_as(null, 'qm_admin');
select is_empty($$select x.version from snapshots.member as x$$, 'without a principal nothing is seen');
select t.act_as('op', 'qm_operator');
select is(current_user, 'qm_operator', 'as qm_operator');
select throws_ok($$select x.version from snapshots.member as x$$, '42501', null, 'an operator reads none');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from snapshots.member as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'snapshots.member'::regclass;

select * from finish();
rollback;
