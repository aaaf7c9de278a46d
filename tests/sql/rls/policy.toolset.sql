begin;
select plan(13);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select api.put_organisation('acme');
select api.put_toolset('clock', '{"tools": "time__*"}');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "role:user", "tools": "tracker__create_ticket"}]}');
create temporary table untouched as select * from policy.toolset;
select policies_are('policy', 'toolset', array['owner_all', 'operator_reads']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select throws_ok($$select * from policy.toolset$$, '42501', null, 'may not read it at all');
select throws_ok($$update policy.toolset set description = ''$$, '42501', null, 'may not change');
select throws_ok($$insert into policy.toolset (name, matcher_id) values ('x', 1)$$, '42501', null, 'may not add');
select throws_ok($$delete from policy.toolset$$, '42501', null, 'may not delete');
select throws_ok($$truncate policy.toolset$$, '42501', null, 'may not empty');
select throws_ok($$select api.put_toolset('x', '{"tools": "*"}')$$, '42501', null, 'nor call what writes it');
select t.act_as('op', 'qm_operator');
select isnt_empty($$select * from policy.toolset$$, 'an operator reads');
select throws_ok($$delete from policy.toolset$$, '42501', null, 'and deletes nothing');
select t.act_as(null, 'qm_operator');
select is_empty($$select * from policy.toolset$$, 'the role without a principal sees nothing');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from policy.toolset as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'policy.toolset'::regclass;

select * from finish();
rollback;
