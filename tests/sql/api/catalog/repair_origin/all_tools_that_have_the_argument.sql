begin;
select plan(8);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.make_tool('tracker', n.name, 'Made for a test.', '{"type": "object", "properties": {"account": {"type": "string"}}, "required": ["account"]}')
from unnest('{one,two}'::text []) as n (name);
select t.act_as('alice');
select throws_ok($$select * from api.repair_origin('tracker', '{"phrases": ["x"]}')$$, '42501', null, 'users do not');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.repair_origin('nowhere', '{"phrases": ["x"]}')$$, 'QM404', null, 'no such origin');
select throws_ok($$select * from api.repair_origin('tracker', '{"title": "x"}')$$, 'QM422', null, 'all tools have no title');
select results_eq(
    $$select distinct r.tool from api.repair_origin('tracker', '{"arguments": {"account": {"hidden": true, "default": "acme"}}}') as r order by r.tool$$,
    array['tracker__one', 'tracker__two'], 'two tools have it'
);
select results_eq(
    $$select d.input_schema from api.describe_tool('tracker__one') as d$$, $$values ('{"type": "object", "properties": {}}'::jsonb)$$, 'it is hidden'
);
select isnt_empty($$select r.* from api.repair_tool('tracker__one', '{"arguments": {"account": {"default": "other"}}}') as r$$, 'a tool comes first');
select isnt_empty($$select r.* from api.repair_origin('tracker', undo => true) as r$$, 'undone');
select results_eq(
    $$select d.input_schema #>> '{properties,account,default}' from api.describe_tool('tracker__one') as d$$, array['other'], 'what the tool changes stays'
);

select * from finish();
rollback;
