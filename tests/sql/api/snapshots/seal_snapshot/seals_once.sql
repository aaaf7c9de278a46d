begin;
select plan(5);

select t.make_catalog(), t.make_principal('op', 'operator'), t.make_principal('root', 'admin');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.seal_snapshot('monday', sha256('k'), sha256('a') || sha256('b'), 'f', sha256('f'), 1)$$, '42501', null, 'operators do not');
select t.act_as('root', 'qm_admin');
select throws_ok($$select api.seal_snapshot('monday', sha256('k'), sha256('a') || sha256('b'), 'f', sha256('f'), 1)$$, 'QM404', null, 'one that is not there');
select count(*) from api.create_snapshot('monday');
select lives_ok($$select api.seal_snapshot('monday', sha256('k'), sha256('a') || sha256('b'), 'f', sha256('f'), 1)$$, 'sealed');
select throws_ok($$select api.seal_snapshot('monday', sha256('x'), sha256('a') || sha256('b'), 'f', sha256('f'), 1)$$, 'QM409', null, 'a seal is never replaced');
select results_eq($$select s.public_key, s.artifact, s.artifact_bytes from api.list_snapshots() as s$$, $$values (sha256('k'), 'f', 1::bigint)$$, 'and kept');

select * from finish();
rollback;
