begin;
select plan(3);

select t.make_catalog(), t.make_principal('alice');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "role:user", "tools": "time__convert_time"}]}');
select t.act_as('alice');
select results_eq(
    $$select * from service.call_begin('time__convert_time', 2, 'r', gen_random_uuid())$$, $$select * from service.call_begin('none', 2, 'r', gen_random_uuid())$$, 'a row of nulls'
);
select t.act_as_superuser();
select is_empty($$select from calls.call$$, 'no call');
select results_eq($$select d.door, d.name, d.is_allowed from policy.decision as d$$, $$values ('call', 'time__convert_time', false)$$, 'but a decision');

select * from finish();
rollback;
