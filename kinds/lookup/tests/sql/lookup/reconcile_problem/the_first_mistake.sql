begin;
select plan(9);

select t.make_lookups();
select is(
    (lookup.reconcile_problem(case when q.table_name is null then '{}' else array[t.lookup_id(q.table_name)] end, q.query::jsonb, q.most))[1:2], q.problem::text[], q.what
)
from (
    values
    ('plant', '{"query": "Betula", "properties": {"family": "x"}, "row": {}}', 1, null, 'nothing is wrong'),
    ('plant', '{"properties": {"family": "x"}}', 1, null, 'properties alone'),
    ('plant', '{"row": {}}', 1, null, 'a row alone'),
    ('plant', '{"query": 5}', 1, '{argument_invalid,"query is not of type string"}', 'a member of another type'),
    (null, '{"query": "x"}', 1, '{unsupported_table,"this type does not exist, or you may not see it"}', 'no table'),
    ('plant', '{"query": " "}', 1, '{query_empty,"the query has neither a text nor properties"}', 'nothing to look for'),
    ('plant', '{"query": "x"}', 0, '{argument_invalid,"the number of rows must be between 1 and 100, got 0"}', 'a mistake of any query'),
    ('place', '{"query": "x", "properties": {"family": "x"}}', 1, '{property_unknown,"no row has the property ''family''"}', 'a property of another table')
) as q (table_name, query, most, problem, what);
select is(
    (lookup.reconcile_problem(array[t.lookup_id('plant'), t.lookup_id('place')], '{"properties": {"colour": "red"}}', 1))[3], 'Use one of: author, family.', 'the hint names those of all tables'
);

select * from finish();
rollback;
