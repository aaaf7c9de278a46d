begin;
select plan(12);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('cora'), t.make_principal('boss', 'admin');
select t.act_as('boss', 'qm_admin');
select api.appoint_curator('cora');
select t.act_as('alice');
select throws_ok($$select * from api.add_alias('plant', '1', 'silver birch')$$, 'QM403', null, 'not for a user');
select t.act_as('cora');
select throws_ok($$select * from api.add_alias('plnt', '1', 'silver birch')$$, 'QM404', null, 'a table that is not there');
select throws_ok($$select * from api.add_alias('plant', '99', 'silver birch')$$, 'QM404', null, 'a row that is not there');
select throws_ok($$select * from api.add_alias('plant', '1', '  ')$$, 'QM422', null, 'no text');
select throws_ok($$select * from api.add_alias('plant', '1', repeat('x', 501))$$, 'QM422', null, 'too much text');
select throws_ok($$select * from api.add_alias('plant', '1', 'Betula pendula')$$, 'QM409', null, 'its value');
select throws_ok($$select * from api.add_alias('plant', '1', 'vårtbjörk')$$, 'QM409', null, 'an alias of its source');
select results_eq(
    $$select a.aliases, a.shared_with from api.add_alias('plant', '1', '  silver   birch ', 'asked twice a day') as a$$,
    $$values ('{silver birch,vårtbjörk}'::text[], '{}'::text[])$$, 'it is one of its names'
);
select results_eq($$select s.id, s.name, s.match from api.search_lookup('plant', 'Silver Birch', k_final => 1) as s$$, $$values ('1', 'silver birch', true)$$, 'by which it is found');
select results_eq($$select a.shared_with from api.add_alias('plant', '2', 'SILVER BIRCH') as a$$, $$values ('{1}'::text[])$$, 'who else has the name is told');
set constraints all immediate;
select t.act_as_superuser();
select is((select t.version from lookup.lookup_table as t where t.name = 'plant'), 3::bigint, 'each change counts');
select is(
    (select r.principal || ' ' || r.action || ' ' || (r.after ->> 'alias') || ' ' || (r.after ->> 'reason') from audit.record as r where r.table_name = 'lookup.curation' and r.object = 'plant/1'),
    'cora insert silver birch asked twice a day', 'the audit says who, what and why'
);

select * from finish();
rollback;
