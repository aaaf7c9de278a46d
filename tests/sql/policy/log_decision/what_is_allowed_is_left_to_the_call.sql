begin;
select plan(3);

select t.make_assets(), t.make_principal('alice');
select t.make_rules('{"rules": [{"effect": "allow", "subject": "everyone", "origins": "*"}]}');
select t.act_as('alice');
select throws_ok($$select policy.log_decision(1, 'call', 'tool', 1, 'x', 0)$$, '42501', null, 'not for users');
select t.through('');
select api.relay_begin('resources/read', 'resource', 'memo://page/12', 2, 'r', gen_random_uuid());
select t.act_as_superuser();
select results_eq(
    $$select d.is_allowed, d.toolset, d.rule from policy.log_decision((select p.id from policy.principal as p where p.name = 'alice'), 'call', 'tool', 1, 'x', (select o.rights_class from catalog.origin as o order by o.id limit 1)) as d$$,
    $$values (true, null::text, 1)$$, 'an allowed call of a tool is told'
);
select results_eq($$select d.kind, d.name, d.is_allowed from policy.decision as d$$, $$values ('resource', 'memo://page/12', true)$$, 'a read is kept');

select * from finish();
rollback;
