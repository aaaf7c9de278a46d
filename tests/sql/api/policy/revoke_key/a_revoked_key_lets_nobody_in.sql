begin;
select plan(5);

select t.make_principal('boss', 'admin'), t.make_principal('alice');
select t.act_as('alice', 'qm_operator');
select throws_ok($$select api.revoke_key(1)$$, '42501', null, 'an operator may not');
select t.act_as('boss', 'qm_admin');
select t.at('2026-01-01 00:00+00');
create temporary table made as select api.put_key('alice', 'a', 'qm_a', sha256('a')) as id;
select throws_ok($$select api.revoke_key(-1)$$, 'QM404', null, 'a key that is none');
select is(api.revoke_key((select m.id from made as m)), '2026-01-01 00:00+00', 'since now');
select t.at('2026-01-02 00:00+00');
select is(api.revoke_key((select m.id from made as m)), '2026-01-01 00:00+00', 'once is enough');
select t.act_as_superuser();
select throws_ok($$select * from service.authenticate(sha256('a'))$$, 'QM401', null, 'it is refused');

select * from finish();
rollback;
