begin;
select plan(2);

select t.make_catalog(), t.make_principal('alice');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "role:user", "tools": "time__convert_time"}]}');
select t.act_as('alice');
select service.record_denial('time__convert_time'), service.record_denial('time__get_current_time'), service.record_denial('none');
select t.act_as_superuser();
select results_eq($$select d.door, d.name, d.is_allowed, d.rule from policy.decision as d$$, $$values ('describe', 'time__convert_time', false, 1)$$, 'not what is absent, nor what is seen');
select throws_ok($$select t.act_as(null), service.record_denial('time__convert_time')$$, 'QM403', null, 'nobody is denied nothing');

select * from finish();
rollback;
