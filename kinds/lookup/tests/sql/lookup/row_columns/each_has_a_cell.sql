begin;
select plan(1);

select lookup.put_rows(
    lookup.put_table('plant', null, null), '[{"id": "1", "value": "Elm", "aliases": ["Ulmus"], "language": "en", "domain": "trees"}]', true
);
select t.make_principal('alice');
select t.read_as('alice');
select is(
    (select x.cells from api.extend_lookup_rows('[{"lookup": "plant", "id": "1"}]', lookup.row_columns()) as x),
    '{"value": "Elm", "aliases": ["Ulmus"], "language": "en", "domain": "trees", "active": true}'::jsonb, 'in the answer for a row that has all of them'
);

select * from finish();
rollback;
