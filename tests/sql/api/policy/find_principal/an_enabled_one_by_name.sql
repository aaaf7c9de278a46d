begin;
select plan(4);

select t.make_principal('alice', 'operator'), t.make_principal('bob');
update policy.principal set enabled = false where name = 'bob';
set local session authorization qm_service;
select results_eq($$select f.principal, f.role from api.find_principal('alice') as f$$, $$values ('alice', 'operator')$$, 'known');
select throws_ok($$select * from api.find_principal('nobody')$$, 'QM403', null, 'unknown');
select throws_ok($$select * from api.find_principal('bob')$$, 'QM403', null, 'disabled');
select throws_ok($$select * from api.find_principal(null)$$, 'QM403', null, 'none');

select * from finish();
rollback;
