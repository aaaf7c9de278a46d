begin;
select plan(6);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator');
select calls.open_breaker(o.id, 'it failed') from catalog.origin as o where o.name = 'time';
select t.act_as('alice');
select throws_ok($$select api.reset_breaker('time')$$, '42501', null, 'a user may not');
select t.act_as('op', 'qm_operator');
select throws_ok($$select api.reset_breaker('none')$$, 'QM404', null, 'an origin that is not there');
select ok(api.reset_breaker('time'), 'it was open');
select ok(not api.reset_breaker('time'), 'it is closed');
select t.act_as_superuser();
select is((select o.revision from catalog.origin as o where o.name = 'time'), 3, 'each time, the next call begins anew');
select t.act_as('op', 'qm_operator');
select is_empty($$select from api.list_breakers()$$, 'and no longer told');

select * from finish();
rollback;
