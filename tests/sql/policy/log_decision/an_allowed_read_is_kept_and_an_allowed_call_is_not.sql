begin;
select plan(3);

select t.make_assets(), t.make_tool('first', 'x'), t.make_principal('alice');
select t.make_rules('{"rules": [{"effect": "allow", "subject": "everyone", "origins": "*"}]}');
select t.act_as('alice');
select throws_ok($$select policy.log_decision(1, null, 'call', 'tool', 1, 'x', null)$$, '42501', null, 'not for users');
select service.relay_begin('resources/read', 'resource', 'memo://page/12', 2, 'r', gen_random_uuid()), service.call_begin('first__x', 2, 'r', gen_random_uuid());
select t.act_as_superuser();
select results_eq($$select d.kind, d.name, d.is_allowed, d.rule from policy.decision as d$$, $$values ('resource', 'memo://page/12', true, 1)$$, 'the read');
select results_eq($$select c.method, c.toolset, c.rule from calls.call as c order by c.id$$, $$values ('resources/read', null::text, null::integer), ('tools/call', null, 1)$$, 'the call');

select * from finish();
rollback;
