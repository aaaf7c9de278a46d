begin;
select plan(11);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
create temporary table untouched as select * from core.alembic_version;
select policies_are('core', 'alembic_version', array['owner_all']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select throws_ok($$select * from core.alembic_version$$, '42501', null, 'may not read it at all');
select throws_ok($$update core.alembic_version set version_num = version_num$$, '42501', null, 'may not change');
select throws_ok($$insert into core.alembic_version values ('x')$$, '42501', null, 'may not add');
select throws_ok($$delete from core.alembic_version$$, '42501', null, 'may not delete');
select throws_ok($$truncate core.alembic_version$$, '42501', null, 'may not empty');
select t.act_as(null, 'qm_user');
select is(current_user, 'qm_user', 'as qm_user without a principal');
select throws_ok($$select * from core.alembic_version$$, '42501', null, 'nor without a principal');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from core.alembic_version as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'core.alembic_version'::regclass;

select * from finish();
rollback;
