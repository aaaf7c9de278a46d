begin;
select plan(3);

select t.make_principal('alice'), t.make_principal('op', 'operator');
select t.make_rules('{"note": "second", "rules": [{"effect": "deny", "subject": "everyone", "origins": "x"}]}');
select t.act_as('alice');
select throws_ok($$select * from api.list_rules()$$, '42501', null, 'users are told no rule');
select t.act_as('op', 'qm_operator');
select results_eq($$select r.note, r.rules, r."default", r.is_active from api.list_rules() as r$$, $$values ('second', 1::bigint, 'allow', true), ('as installed', 0::bigint, 'allow', false)$$, 'operators are');
select t.act_as(null, 'qm_operator');
select throws_ok($$select * from api.list_rules()$$, 'QM403', null, 'nobody is not');

select * from finish();
rollback;
