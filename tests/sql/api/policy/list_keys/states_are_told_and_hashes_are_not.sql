begin;
select plan(3);

select t.make_principal('boss', 'admin'), t.make_principal('alice'), t.make_principal('bob');
select t.act_as('boss', 'qm_admin');
select t.at('2026-01-01 00:00+00');
select api.put_key('alice', 'a', 'qm_a', sha256('a')), api.put_key('alice', 'a', 'qm_b', sha256('b')), api.put_key('alice', 'c', 'qm_c', sha256('c'), '2026-01-02 00:00+00'), api.put_key('bob', 'd', 'qm_d', sha256('d'));
select api.enable_principal('bob', false);
select t.at('2026-01-03 00:00+00');
select results_eq($$select k.prefix, k.state from api.list_keys('alice') as k$$, $$values ('qm_a', 'revoked'), ('qm_b', 'live'), ('qm_c', 'expired')$$, 'of one principal');
select is((select k.state from api.list_keys() as k where k.prefix = 'qm_d'), 'disabled', 'of all');
select t.act_as('alice', 'qm_user');
select throws_ok($$select * from api.list_keys()$$, '42501', null, 'for administrators only');

select * from finish();
rollback;
