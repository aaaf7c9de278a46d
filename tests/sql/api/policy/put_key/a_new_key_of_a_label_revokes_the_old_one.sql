begin;
select plan(9);

select t.make_principal('boss', 'admin'), t.make_principal('alice');
select t.act_as('boss', 'qm_admin');
create temporary table keys as select api.put_key('alice', 'laptop', 'qm_1', sha256('one')) as first, api.put_key('alice', 'laptop', 'qm_1', sha256('one')) as again;
select is((select k.first from keys as k), (select k.again from keys as k), 'the same key keeps its id');
select isnt(api.put_key('alice', 'laptop', 'qm_2', sha256('two')), (select k.first from keys as k), 'another has its own');
select throws_ok($$select api.put_key('alice', 'x', 'qm', 'short')$$, 'QM422', null, 'a digest of another length');
select throws_ok($$select api.put_key('alice', 'x', 'qm', null)$$, 'QM422', null, 'none');
select throws_ok($$select api.put_key('nobody', 'x', 'qm', sha256('x'))$$, 'QM404', null, 'an unknown principal');
select throws_ok($$select api.put_key('alice', 'laptop', 'qm', sha256('x'), replaces => false)$$, 'QM409', null, 'a label that is taken, unless it replaces');
select throws_ok($$select api.put_key('alice', 'x', 'qm', sha256('x'), now())$$, 'QM422', null, 'one that has expired');
select t.act_as_superuser();
set local session authorization qm_service;
select throws_ok($$select * from service.authenticate(sha256('one'))$$, 'QM401', null, 'the old key is revoked');
select is((select a.principal from service.authenticate(sha256('two')) as a), 'alice', 'the new one is valid');

select * from finish();
rollback;
