begin;
select plan(2);

select t.make_principal('boss', 'admin'), t.make_principal('alice');
select t.act_as('alice', 'qm_user');
select throws_ok($$select * from api.list_principals()$$, '42501', null, 'for administrators only');
select t.act_as('boss', 'qm_admin');
select api.put_key('alice', 'a', 'qm_a', sha256('a')), api.put_key('alice', 'a', 'qm_b', sha256('b')), api.bind_subject('alice', 'iss', 'sub');
select results_eq($$select p.role, p.enabled, p.live_keys, p.issuer from api.list_principals() as p where p.name = 'alice'$$, $$values ('user', true, 1::bigint, 'iss')$$, 'what lets it in');

select * from finish();
rollback;
