begin;
select plan(13);

select t.make_assets(), t.make_principal('alice'), t.make_principal('bob');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:alice", "origins": ["first"]}]}');
create temporary table untouched as select * from catalog.asset;
select policies_are('catalog', 'asset', array['owner_all', 'user_reads']::name [], 'these policies and no other');
select t.act_as('alice', 'qm_user');
select is(current_user, 'qm_user', 'as qm_user');
select results_eq($$select a.public_name from catalog.asset as a$$, array['quartermaster://second/memo://plan'], 'sees exactly what it may');
select throws_ok($$update catalog.asset set name = name$$, '42501', null, 'may not change');
select throws_ok($$insert into catalog.asset (origin_id) values (1)$$, '42501', null, 'may not add');
select throws_ok($$delete from catalog.asset$$, '42501', null, 'may not delete');
select throws_ok($$truncate catalog.asset$$, '42501', null, 'may not empty');
select t.act_as('bob', 'qm_user');
select is((select count(*) from catalog.asset), 5::bigint, 'another sees what it may');
select throws_ok($$update catalog.asset set name = name$$, '42501', null, 'and changes nothing either');
select t.act_as(null, 'qm_user');
select is(current_user, 'qm_user', 'as qm_user without a principal');
select is_empty($$select a.id from catalog.asset as a$$, 'without a principal nothing is seen');
select t.act_as_superuser();
select set_eq($$select to_jsonb(x) from catalog.asset as x$$, $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');
select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too') from pg_class as c where c.oid = 'catalog.asset'::regclass;

select * from finish();
rollback;
