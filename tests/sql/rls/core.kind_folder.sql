begin;
select plan(11);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
insert into core.kind_folder values ('toy', '', '{}');
create temporary table untouched as select * from core.kind_folder;
select policies_are('core', 'kind_folder', array['owner_all']::name [], 'this policy and no other');
select isnt_empty($$select * from untouched$$, 'there is something to see');
select t.act_as('alice', 'qm_user');
select throws_ok($$select * from core.kind_folder$$, '42501', null, 'users do not read');
select throws_ok($$update core.kind_folder set digest = digest$$, '42501', null, 'may not change');
select throws_ok($$insert into core.kind_folder (name, digest, migrations) values ('x', '', '{}')$$, '42501', null, 'may not add');
select throws_ok($$delete from core.kind_folder$$, '42501', null, 'may not delete');
select throws_ok($$truncate core.kind_folder$$, '42501', null, 'may not empty');
select t.act_as('boss', 'qm_admin');
select throws_ok($$select * from core.kind_folder$$, '42501', null, 'nor do administrators');
select throws_ok($$delete from core.kind_folder$$, '42501', null, 'or delete');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from core.kind_folder as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'core.kind_folder'::regclass;

select * from finish();
rollback;
