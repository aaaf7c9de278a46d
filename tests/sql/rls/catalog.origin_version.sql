begin;
select plan(13);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "role:user", "origins": "tracker"}]}');
create temporary table untouched as select * from catalog.origin_version;
select policies_are('catalog', 'origin_version', array['owner_all', 'user_reads']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select results_eq($$select v.name from catalog.origin_version as v$$, array['time'], 'sees exactly what it may');
select throws_ok($$select v.connection from catalog.origin_version as v$$, '42501', null, 'and no connection');
select throws_ok($$update catalog.origin_version set version = version$$, '42501', null, 'may not change');
select throws_ok($$insert into catalog.origin_version (origin_id, version, valid_from) values (1, 9, now())$$, '42501', null, 'may not add');
select throws_ok($$delete from catalog.origin_version$$, '42501', null, 'may not delete');
select throws_ok($$truncate catalog.origin_version$$, '42501', null, 'may not empty');
select t.act_as('op', 'qm_operator');
select is((select count(v.connection) from catalog.origin_version as v), 2::bigint, 'an operator reads connections');
select t.act_as(null, 'qm_user');
select is(current_user, 'qm_user', 'as qm_user without a principal');
select is_empty($$select v.version from catalog.origin_version as v$$, 'without a principal nothing is seen');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from catalog.origin_version as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'catalog.origin_version'::regclass;

select * from finish();
rollback;
