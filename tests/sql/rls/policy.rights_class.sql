begin;
select plan(12);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select api.put_organisation('acme');
select api.put_toolset('clock', '{"tools": "time__*"}');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "role:user", "tools": "tracker__create_ticket"}]}');
create temporary table untouched as select * from policy.rights_class;
select policies_are('policy', 'rights_class', array['owner_all']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select throws_ok($$select * from policy.rights_class$$, '42501', null, 'may not read it at all');
select throws_ok($$update policy.rights_class set matchers = '{}'$$, '42501', null, 'may not change');
select throws_ok($$insert into policy.rights_class (id, matchers) values (9, '{9}')$$, '42501', null, 'may not add');
select throws_ok($$delete from policy.rights_class$$, '42501', null, 'may not delete');
select throws_ok($$truncate policy.rights_class$$, '42501', null, 'may not empty');
select throws_ok($$select policy.drop_classes()$$, '42501', null, 'nor call what writes it');
select t.act_as('boss', 'qm_admin');
select throws_ok($$select * from policy.rights_class$$, '42501', null, 'nor may an administrator');
select t.act_as(null, 'qm_user');
select throws_ok($$select * from policy.rights_class$$, '42501', null, 'nor without a principal');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from policy.rights_class as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'policy.rights_class'::regclass;

select * from finish();
rollback;
