begin;
select plan(4);

select t.make_principal('boss', 'admin'), t.make_principal('alice');
select t.act_as('boss', 'qm_admin');
select t.at('2026-01-01 00:00+00');
select api.put_key('alice', 'a', 'qm', sha256('key'));
select t.act_as_superuser();
create temporary view noted as select k.last_used_at from policy.api_key as k where k.key_hash = sha256('key');
select is((select n.last_used_at from noted as n), null, 'a new key was never used');
select service.authenticate(sha256('key'));
select is((select n.last_used_at from noted as n), '2026-01-01 00:00+00', 'then its use is noted');
select t.at('2026-01-01 00:00:59+00');
select service.authenticate(sha256('key'));
select is((select n.last_used_at from noted as n), '2026-01-01 00:00+00', 'within the minute nothing is written');
select t.at('2026-01-01 00:01:01+00');
select service.authenticate(sha256('key'));
select is((select n.last_used_at from noted as n), '2026-01-01 00:01:01+00', 'later it is');

select * from finish();
rollback;
