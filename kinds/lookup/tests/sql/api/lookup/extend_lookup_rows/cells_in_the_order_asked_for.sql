begin;
select plan(6);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('bob');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:bob", "origins": ["plant"]}]}');
select t.act_as('bob', 'qm_user');
select is(
    (select e.name from api.extend_lookup_rows('[{"lookup": "plant", "id": "1"}]', '{value}') as e), null, 'a row of a hidden table is not there'
);
select throws_ok($$select * from api.extend_lookup_rows('[]', '{family}')$$, 'QM422', null, 'nor its properties');
select t.act_as('alice', 'qm_user');
select results_eq(
    $$select e.number, e.name, e.cells
      from api.extend_lookup_rows('[{"lookup": "plant", "id": "3"}, {"lookup": "plant", "id": "99"}, {"lookup": "place", "id": "1"}, {"lookup": "plant", "id": "1"}]', '{family,aliases,language}') as e$$,
    $$values
    (1, 'Bromus pendula', '{"family": "Poaceae", "aliases": [], "language": "la"}'::jsonb), (2, null, '{}'), (3, 'Umeå', '{"aliases": []}'),
    (4, 'Betula pendula', '{"family": "Betulaceae", "aliases": ["vårtbjörk"], "language": "la"}')$$,
    'properties, and what every row has; nothing of a row that is not there'
);
select throws_ok($$select * from api.extend_lookup_rows('[]', '{colour}')$$, 'QM422', null, 'a property that no row has');
select throws_ok($$select * from api.extend_lookup_rows('{}', '{}')$$, 'QM422', null, 'no array');
select throws_ok(
    $$select * from api.extend_lookup_rows((select jsonb_agg('{}'::jsonb) from generate_series(1, 5000)), '{}')$$, 'QM413', null, '5,000 rows'
);

select * from finish();
rollback;
