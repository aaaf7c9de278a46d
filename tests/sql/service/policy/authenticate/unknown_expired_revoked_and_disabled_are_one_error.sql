begin;
select plan(7);

select t.make_principal('boss', 'admin'), t.make_principal('alice', 'operator'), t.make_principal('bob');
select t.act_as('boss', 'qm_admin');
select t.at('2026-01-01 00:00+00');
select api.put_key('alice', 'a', 'qm', sha256('lasting')), api.put_key('alice', 'b', 'qm', sha256('short'), '2026-01-02 00:00+00'), api.put_key('bob', 'c', 'qm', sha256('disabled'));
select t.act_as_superuser();
update policy.principal set enabled = false where name = 'bob';
set local session authorization qm_service;
select is(current_user, 'qm_service', 'as the service before it takes a role');
select results_eq($$select a.principal, a.role from service.authenticate(sha256('lasting')) as a$$, $$values ('alice', 'operator')$$, 'a valid key');
select is((select a.principal from service.authenticate(sha256('short')) as a), 'alice', 'one that expires, before');
select t.at('2026-01-02 00:00+00');
select throws_ok($$select * from service.authenticate(sha256('short'))$$, 'QM401', null, 'and after');
select throws_ok($$select * from service.authenticate(sha256('unknown'))$$, 'QM401', null, 'unknown');
select throws_ok($$select * from service.authenticate(null)$$, 'QM401', null, 'none');
select throws_ok($$select * from service.authenticate(sha256('disabled'))$$, 'QM401', null, 'of a disabled principal');

select * from finish();
rollback;
