begin;
select plan(1);

select t.make_catalog(), t.make_principal('alice');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "role:user", "tools": "time__convert_time", "reason": "why not"}]}');
select t.act_as('alice');
select t.through('none');
select service.call_begin('time__convert_time', 2, 'r', gen_random_uuid());
select t.act_as_superuser();
select results_eq(
    $$select p.name, d.toolset, d.door, d.kind, d.name, d.is_allowed, d.rule, d.reason, v.is_active
      from policy.decision as d inner join policy.principal as p on p.id = d.principal_id inner join policy.rule_version as v on v.id = d.version_id$$,
    $$values ('alice', 'none', 'call', 'tool', 'time__convert_time', false, 1, 'rule 1: deny role:user: why not', true)$$, 'who, through what, what, and which rule'
);

select * from finish();
rollback;
