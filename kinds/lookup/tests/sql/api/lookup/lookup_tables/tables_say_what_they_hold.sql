begin;
select plan(4);

select t.make_lookups(), t.make_principal('alice');
select t.act_as(null, 'qm_user');
select throws_ok($$select * from api.lookup_tables()$$, 'QM403', null, 'not to nobody');
select t.act_as('alice');
select results_eq(
    $$select l.name, l.rows, l.names, l.properties, l.languages, l.threshold from api.lookup_tables() as l$$,
    $$values ('place', 2, 2, '{}'::text [], '{}'::text [], 0.6::real), ('plant', 6, 7, '{author,family}', '{en,la}', 0.6)$$, 'by name'
);
select t.act_as_superuser();
select lookup.put_table('bare', '', null);
select t.act_as('alice');
select results_eq(
    $$select l.name, l.status from api.lookup_tables() as l$$, $$values ('bare', 'empty'), ('place', 'ready'), ('plant', 'ready')$$,
    'a table without rows is empty'
);

select t.act_as_superuser();
select lookup.put_rows(lookup.put_table('shrub', '', null), '[{"id": "1", "value": "a", "domain": "botany"}, {"id": "2", "value": "b", "domain": "botany"}]', true);
select lookup.put_rows(lookup.put_table('mixed', '', null), '[{"id": "1", "value": "a", "domain": "botany"}, {"id": "2", "value": "b"}]', true);
select lookup.put_rows(lookup.put_table('own', '', 'dating'), '[{"id": "1", "value": "a", "domain": "botany"}]', true);
select t.act_as('alice');
select results_eq(
    $$select l.name, l.domain from api.lookup_tables() as l where l.name in ('shrub', 'mixed', 'own') order by 1$$,
    $$values ('mixed', ''), ('own', 'dating'), ('shrub', 'botany')$$,
    'a table without a domain has that of its rows'
);

select * from finish();
rollback;
