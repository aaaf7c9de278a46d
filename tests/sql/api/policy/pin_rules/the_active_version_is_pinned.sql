begin;
select plan(2);

select t.make_principal('boss', 'admin'), t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select throws_ok($$select api.pin_rules(true)$$, '42501', null, 'not by operators');
select t.act_as('boss', 'qm_admin');
select is(api.pin_rules(true), (select r.version from api.list_rules() as r where r.is_active), 'the active one');

select * from finish();
rollback;
