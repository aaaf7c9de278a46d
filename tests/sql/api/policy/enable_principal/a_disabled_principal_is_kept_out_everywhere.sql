begin;
select plan(6);

select t.make_principal('boss', 'admin'), t.make_principal('alice');
select t.act_as('alice', 'qm_operator');
select throws_ok($$select api.enable_principal('boss', false)$$, '42501', null, 'an operator may not');
select t.act_as('boss', 'qm_admin');
select throws_ok($$select api.enable_principal('boss', false)$$, 'QM409', null, 'nobody keeps out themselves');
select throws_ok($$select api.enable_principal('nobody')$$, 'QM404', null, 'somebody unknown');
select api.put_key('alice', 'a', 'qm_a', sha256('a')), api.enable_principal('alice', false);
select t.act_as_superuser();
select throws_ok($$select * from service.authenticate(sha256('a'))$$, 'QM401', null, 'its key');
select throws_ok($$select * from api.find_principal('alice')$$, 'QM403', null, 'its local door');
select t.act_as('boss', 'qm_admin');
select api.enable_principal('alice');
select t.act_as_superuser();
select lives_ok($$select * from service.authenticate(sha256('a'))$$, 'until it is let in again');

select * from finish();
rollback;
