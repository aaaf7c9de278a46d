begin;
select plan(13);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select api.put_organisation('acme');
select api.put_toolset('clock', '{"tools": "time__*"}');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "role:user", "tools": "tracker__create_ticket"}]}');
create temporary table untouched as select * from policy.rule_activation;
select policies_are('policy', 'rule_activation', array['owner_all', 'operator_reads']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select throws_ok($$select * from policy.rule_activation$$, '42501', null, 'may not read it at all');
select throws_ok($$update policy.rule_activation set valid_to = now()$$, '42501', null, 'may not change');
select throws_ok($$insert into policy.rule_activation (version_id, valid_from) values (1, now())$$, '42501', null, 'may not add');
select throws_ok($$delete from policy.rule_activation$$, '42501', null, 'may not delete');
select throws_ok($$truncate policy.rule_activation$$, '42501', null, 'may not empty');
select throws_ok($$select api.apply_rules('{}')$$, '42501', null, 'nor call what writes it');
select t.act_as('op', 'qm_operator');
select isnt_empty($$select * from policy.rule_activation$$, 'an operator reads');
select throws_ok($$delete from policy.rule_activation$$, '42501', null, 'and deletes nothing');
select t.act_as(null, 'qm_operator');
select is_empty($$select * from policy.rule_activation$$, 'the role without a principal sees nothing');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from policy.rule_activation as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'policy.rule_activation'::regclass;

select * from finish();
rollback;
