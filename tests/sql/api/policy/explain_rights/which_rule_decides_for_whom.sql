begin;
select plan(5);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "role:user", "tools": "time__convert_time", "reason": "so"}]}');
select t.act_as('alice');
select throws_ok($$select * from api.explain_rights('alice', 'time__convert_time')$$, '42501', null, 'a user is not told');
select t.act_as('op', 'qm_operator');
select results_eq($$select e.is_allowed, e.rule, e.reason from api.explain_rights('alice', 'time__convert_time') as e$$, $$values (false, 1, 'rule 1: deny role:user: so')$$, 'denied');
select results_eq($$select e.is_allowed, e.rule, e.reason from api.explain_rights('op', 'time__convert_time') as e$$, $$values (true, null::integer, 'default allow')$$, 'allowed');
select throws_ok($$select * from api.explain_rights('nobody', 'time__convert_time')$$, 'QM404', null, 'no such principal');
select throws_ok($$select * from api.explain_rights('alice', 'none')$$, 'QM404', null, 'no such tool');

select * from finish();
rollback;
