begin;
select plan(6);

select t.make_catalog(), t.make_principal('op', 'operator'), t.make_principal('root', 'admin');
select t.act_as('op', 'qm_operator');
select throws_ok($$select api.place_snapshot('monday', 's3://bucket/monday.sqlite')$$, '42501', null, 'operators do not');
select t.act_as('root', 'qm_admin');
select api.create_snapshot('monday');
select throws_ok($$select api.place_snapshot('monday', 'https://user:secret@host/monday.sqlite')$$, 'QM422', null, 'no credentials');
select throws_ok($$select api.place_snapshot('monday', 's3://bucket/monday.sqlite')$$, 'QM409', null, 'sealed ones only');
select throws_ok($$select api.place_snapshot('tuesday', 's3://bucket/monday.sqlite')$$, 'QM404', null, 'one that is there');
select api.seal_snapshot('monday', sha256('k'), sha256('a') || sha256('b'), 'f', sha256('f'), 1);
select lives_ok($$select api.place_snapshot('monday', 's3://bucket/monday.sqlite')$$, 'placed');
select is((select s.artifact_url from api.list_snapshots() as s), 's3://bucket/monday.sqlite', 'and told');

select * from finish();
rollback;
