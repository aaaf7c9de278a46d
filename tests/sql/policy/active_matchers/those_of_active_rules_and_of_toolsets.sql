begin;
select plan(3);

select is(policy.active_matchers(), '{}', 'no rules, no matchers');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "tools": "old__*"}]}');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "tools": "new__*"}, {"effect": "allow", "subject": "role:user", "tools": "new__*"}]}');
select is(policy.active_matchers(), array[policy.put_matcher('{"tools": "new__*"}')], 'of the active version, each once');
select t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select t.act_as('boss', 'qm_admin');
select api.put_toolset('desk', '{"tools": "desk__*"}');
select t.act_as_superuser();
select is(policy.active_matchers(), array[policy.put_matcher('{"tools": "new__*"}'), policy.put_matcher('{"tools": "desk__*"}')], 'and that of a toolset');

select * from finish();
rollback;
