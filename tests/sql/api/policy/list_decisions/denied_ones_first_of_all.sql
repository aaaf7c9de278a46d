begin;
select plan(4);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "role:user", "tools": "time__convert_time"}]}');
select t.act_as('alice');
select service.call_begin('time__convert_time', 2, 'r', gen_random_uuid()), service.call_begin('time__get_current_time', 2, 'r', gen_random_uuid()), service.call_begin('none', 2, 'r', gen_random_uuid());
select throws_ok($$select * from api.list_decisions()$$, '42501', null, 'not for users');
select t.act_as('op', 'qm_operator');
select results_eq($$select d.principal, d.name, d.rule from api.list_decisions() as d$$, $$values ('alice', 'time__convert_time', 1)$$, 'denied ones');
select is((select count(*) from api.list_decisions(denied => false)), 2::bigint, 'or all; what is not there is none');
select is((select count(*) from api.list_decisions(1, false)), 1::bigint, 'so many at most');

select * from finish();
rollback;
