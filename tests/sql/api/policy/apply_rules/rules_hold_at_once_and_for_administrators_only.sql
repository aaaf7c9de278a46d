begin;
select plan(8);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select t.read_as('op', 'qm_operator');
select throws_ok($$select api.apply_rules('{}')$$, '42501', null, 'an operator may not');
select t.read_as(null, 'qm_admin');
select throws_ok($$select api.apply_rules('{}')$$, 'QM403', null, 'nor nobody');
select t.read_as('boss', 'qm_admin');
select throws_ok($$select api.apply_rules('{"rules": [{"effect": "deny", "subject": "principal:nobody"}]}')$$, 'QM422', null, 'a wrong set changes nothing');
select is(api.apply_rules('{"rules": [{"effect": "deny", "subject": "role:user"}]}', 'all of it', true) #>> '{changes,0,principal}', 'alice', 'who loses is told');
select t.read_as('alice');
select is_empty($$select from catalog.item$$, 'nothing is seen');
select is_empty($$select * from api.select_tools('ticket')$$, 'nor found');
select t.read_as('op', 'qm_operator');
select results_eq($$select r.note, r.created_by, r.is_pinned from api.list_rules() as r where r.is_active$$, $$values ('all of it', 'boss', true)$$, 'who made it is kept');
select t.read_as('boss', 'qm_admin');
select throws_ok($$select api.apply_rules('{}')$$, 'QM409', null, 'what is pinned stays');

select * from finish();
rollback;
