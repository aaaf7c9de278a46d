begin;
select plan(12);

select t.make_assets(), t.make_principal('op', 'operator'), t.make_principal('root', 'admin');
select t.act_as('root', 'qm_admin');
select count(*) from api.create_snapshot('monday');
select t.act_as_superuser();
create temporary table untouched as select * from snapshots.asset_member;
select policies_are('snapshots', 'asset_member', array['owner_all', 'admin_reads']::name [], 'these policies and no other');
select t.act_as('root', 'qm_admin');
select is(current_user, 'qm_admin', 'as qm_admin');
select isnt_empty($$select x.version from snapshots.asset_member as x$$, 'an administrator reads them');
select throws_ok($$update snapshots.asset_member set version = version$$, '42501', null, 'may not change');
select throws_ok($$insert into snapshots.asset_member (version) values (null)$$, '42501', null, 'may not add');
select throws_ok($$delete from snapshots.asset_member$$, '42501', null, 'may not delete');
select throws_ok($$truncate snapshots.asset_member cascade$$, '42501', null, 'may not empty');
select t.act_as(null, 'qm_admin');
select is_empty($$select x.version from snapshots.asset_member as x$$, 'without a principal nothing is seen');
select t.act_as('op', 'qm_operator');
select is(current_user, 'qm_operator', 'as qm_operator');
select throws_ok($$select x.version from snapshots.asset_member as x$$, '42501', null, 'an operator reads none');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from snapshots.asset_member as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'snapshots.asset_member'::regclass;

select * from finish();
rollback;
