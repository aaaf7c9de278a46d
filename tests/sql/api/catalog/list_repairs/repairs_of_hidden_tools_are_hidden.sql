begin;
select plan(7);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('alice');
select throws_ok($$select * from api.list_repairs()$$, '42501', null, 'users do not');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.list_repairs('tracker__no_such')$$, 'QM404', null, 'no such tool');
select throws_ok($$select * from api.list_repairs(of_origin => 'nowhere')$$, 'QM404', null, 'no such origin');
select count(*) from api.repair_tool('tracker__create_ticket', '{"title": "x"}');
select count(*) from api.repair_origin('time', '{"phrases": ["y"]}');
select results_eq(
    $$select l.origin, l.tool from api.list_repairs() as l$$, $$values ('time', null), ('tracker', 'tracker__create_ticket')$$, 'all'
);
select results_eq($$select l.tool from api.list_repairs('tracker__create_ticket') as l$$, array['tracker__create_ticket'], 'one tool');
select t.act_as_superuser();
select t.make_rules('{"default": "allow", "rules": [{"effect": "deny", "subject": "principal:op", "tools": ["tracker__create_ticket"], "reason": "x"}]}');
select t.act_as('op', 'qm_operator');
select results_eq($$select l.origin from api.list_repairs() as l$$, array['time'], 'not those of hidden tools');
select throws_ok($$select * from api.repair_tool('tracker__create_ticket', '{"title": "y"}')$$, 'QM404', null, 'which nobody repairs');

select * from finish();
rollback;
